//! What is known of the numbers of each country.

use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    Table::read(include_str!("../../data/phones.toml"))
        .expect("a test reads the file, which is a part of the program")
});

/// The longest code of a country.
const LONGEST_CODE: usize = 3;

pub(super) struct Table {
    countries: Vec<Country>,
    others: Vec<Other>,
    /// By code, where it stands in one of the two.
    places: HashMap<String, Place>,
}

#[derive(Clone, Copy)]
enum Place {
    Known(usize),
    Other(usize),
}

/// Whose number it is.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    Known(&'static Country),
    Other(&'static Other),
}

/// A country whose numbers are known well.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Country {
    iso: String,
    pub(super) code: String,
    #[serde(default)]
    trunk: Vec<String>,
    #[serde(default)]
    inner: Vec<String>,
    #[serde(default)]
    pub(super) exit: Vec<String>,
    mobile: Option<MobileRule>,
    shapes: Vec<Shape>,
    /// Other countries with the same code and plan, by the areas that are theirs.
    #[serde(default)]
    areas: BTreeMap<String, Vec<String>>,
}

/// A country of which only the code and the lengths are known.
pub(super) struct Other {
    pub(super) iso: String,
    pub(super) code: String,
    pub(super) lengths: Vec<usize>,
}

/// A country that writes one mobile in several ways.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MobileRule {
    Argentina,
    Brazil,
}

/// How a national number looks, in groups.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Shape {
    signs: Vec<u8>,
    groups: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhoneFile {
    country: Vec<Country>,
    others: OtherCodes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherCodes {
    codes: Vec<String>,
}

impl Table {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let file: PhoneFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let others: Option<Vec<Other>> = file
            .others
            .codes
            .iter()
            .map(|line| Other::read(line))
            .collect();
        let others = others.ok_or("a code is not written as code, country and lengths")?;
        let known = file.country.iter().enumerate();
        let known = known.map(|(i, country)| (country.code.clone(), Place::Known(i)));
        let other = others.iter().enumerate();
        let other = other.map(|(i, other)| (other.code.clone(), Place::Other(i)));
        let places: HashMap<String, Place> = known.chain(other).collect();
        if places.len() != file.country.len() + others.len() {
            return Err("a code is there twice".to_owned());
        }
        Ok(Self {
            countries: file.country,
            others,
            places,
        })
    }

    /// The country that national numbers are completed with.
    pub(super) fn home(&self, iso: &str) -> Option<&Country> {
        let iso = iso.trim().to_ascii_uppercase();
        self.countries
            .iter()
            .find(|country| country.iso == iso || country.areas.contains_key(&iso))
    }

    /// Whose number it is by the longest code that it begins with, and what stands behind the code.
    pub(super) fn find<'a>(&'static self, digits: &'a str) -> Option<(Entry, &'a str)> {
        (1..=LONGEST_CODE).rev().find_map(|len| {
            let (code, rest) = digits.split_at_checked(len)?;
            let entry = match *self.places.get(code)? {
                Place::Known(i) => Entry::Known(&self.countries[i]),
                Place::Other(i) => Entry::Other(&self.others[i]),
            };
            Some((entry, rest))
        })
    }
}

impl Country {
    /// The number with its code, from what somebody of the country writes.
    pub(super) fn completed(&self, digits: &str) -> Option<String> {
        let national = self.tried(digits, &self.trunk);
        national
            .map(|national| format!("{}{national}", self.code))
            .or_else(|| self.behind_code(digits.strip_prefix(&self.code)?))
    }

    /// The number with its code, from what stands behind the code.
    pub(super) fn behind_code(&self, rest: &str) -> Option<String> {
        let national = self
            .tried(rest, &self.inner)
            .or_else(|| self.tried(rest, &self.trunk))?;
        Some(format!("{}{national}", self.code))
    }

    /// The national number as it is, or without one of the beginnings.
    fn tried(&self, digits: &str, beginnings: &[String]) -> Option<String> {
        let without = beginnings
            .iter()
            .filter_map(|beginning| digits.strip_prefix(beginning.as_str()));
        std::iter::once(digits)
            .chain(without)
            .find_map(|digits| self.settled(digits))
    }

    /// The one form of a national number, where it is one.
    fn settled(&self, national: &str) -> Option<String> {
        let settled = match self.mobile {
            Some(MobileRule::Argentina) => argentine(national)?,
            Some(MobileRule::Brazil) => brazilian(national),
            None => national.to_owned(),
        };
        self.shapes
            .iter()
            .any(|shape| shape.fits(&settled))
            .then_some(settled)
    }

    /// Which of the countries with this code it is.
    pub(super) fn iso_of(&self, national: &str) -> &str {
        let is_theirs = |areas: &Vec<String>| areas.iter().any(|area| national.starts_with(area));
        self.areas
            .iter()
            .find(|(_, areas)| is_theirs(areas))
            .map_or(&self.iso, |(iso, _)| iso)
    }

    /// The national number in the groups that people read it in.
    pub(super) fn grouped<'a>(&self, national: &'a str) -> Option<Vec<&'a str>> {
        let shape = self.shapes.iter().find(|shape| shape.fits(national))?;
        let mut rest = national;
        let mut groups = Vec::new();
        for len in &shape.groups {
            let (group, behind) = rest.split_at_checked(*len)?;
            groups.push(group);
            rest = behind;
        }
        Some(groups)
    }
}

/// `9`, area and number for a mobile; area and number for any other line.
///
/// Areas have two to four digits and begin with 11, 2 or 3; with their number they have ten. So there is
/// one place at most at which the 15 of mobiles can stand.
fn argentine(national: &str) -> Option<String> {
    const WHOLE: usize = 10;
    const MARK: &str = "15";
    let abroad = national
        .strip_prefix('9')
        .map(|rest| rest.strip_prefix('0').unwrap_or(rest))
        .filter(|rest| rest.len() >= WHOLE);
    let rest = abroad.unwrap_or(national);
    let area_first = |rest: &str| {
        let areas: &[usize] = if rest.starts_with("11") {
            &[2]
        } else {
            &[3, 4]
        };
        areas.iter().find_map(|area| {
            let (area, number) = rest.split_at_checked(*area)?;
            Some(format!("9{area}{}", number.strip_prefix(MARK)?))
        })
    };
    match rest.len() {
        // Only numbers of Buenos Aires have eight digits without their area.
        WHOLE if rest.starts_with(MARK) => Some(format!("911{}", &rest[MARK.len()..])),
        WHOLE if abroad.is_some() => Some(format!("9{rest}")),
        WHOLE => Some(rest.to_owned()),
        len if len == WHOLE + MARK.len() => area_first(rest),
        _ => None,
    }
}

/// A mobile of eight digits gets its 9.
fn brazilian(national: &str) -> String {
    const WITHOUT: usize = 10;
    match national.split_at_checked(2) {
        Some((area, number))
            if national.len() == WITHOUT && number.starts_with(['6', '7', '8', '9']) =>
        {
            format!("{area}9{number}")
        }
        _ => national.to_owned(),
    }
}

impl Other {
    /// `code ISO length,length`
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let code = words.next().filter(|code| code.len() <= LONGEST_CODE)?;
        let iso = words.next().filter(|iso| iso.len() == 2)?;
        let lengths: Result<Vec<usize>, _> = words.next()?.split(',').map(str::parse).collect();
        Some(Self {
            iso: iso.to_owned(),
            code: code.to_owned(),
            lengths: lengths.ok()?,
        })
    }
}

impl Shape {
    fn fits(&self, digits: &str) -> bool {
        let fit = |(sign, digit): (&u8, u8)| match sign {
            b'x' => digit.is_ascii_digit(),
            b'd' => (b'1'..=b'9').contains(&digit),
            b'n' => (b'2'..=b'9').contains(&digit),
            b'f' => (b'1'..=b'8').contains(&digit),
            own => *own == digit,
        };
        self.signs.len() == digits.len() && self.signs.iter().zip(digits.bytes()).all(fit)
    }
}

impl TryFrom<String> for Shape {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let signs: Vec<u8> = text.bytes().filter(|b| *b != b' ').collect();
        let known = |b: &u8| b.is_ascii_digit() || b"xdnf".contains(b);
        if signs.is_empty() || !signs.iter().all(known) {
            return Err(format!("no shape of a number: {text}"));
        }
        let groups = text.split(' ').map(str::len).collect();
        Ok(Self { signs, groups })
    }
}
