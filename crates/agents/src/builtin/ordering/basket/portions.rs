//! An order that is told in portions, said in the plain words that the rest of the basket reads: halves and
//! "de cada uno" become numbers, and what is said of some of the things stands behind their number.

use super::super::super::folded::{folded, says};
use super::super::super::lists::{Words, list};
use super::super::allergies::without_allergies;
use super::super::changes::{counts, is_article, number};
use super::answers::quantity_of;
use super::{Basket, Heed};
use quipu_core::ordering::{Line, Menu, read_order};
use regex::{Captures, Regex};
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../../data/builtin/portions.txt");
/// What may be left off a thing.
static LEFT_OFF: Words = LazyLock::new(|| list(DATA, "left_off"));
/// The same in English.
static LEFT_OFF_IN_ENGLISH: Words = LazyLock::new(|| list(DATA, "left_off_in_english"));
/// What says that something is otherwise than it was read back.
static CONTRAST: Words = LazyLock::new(|| list(DATA, "contrast"));
/// What is a way of speaking and leaves nothing off.
static NO_WISH: Words = LazyLock::new(|| list(DATA, "no_wish"));

/// A number as a pattern.
const N: &str = r"(\d{1,2}|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|one|two|three|four|five|six|seven|eight|nine|ten)";
/// What may stand behind a number that picks some out.
const OF_THEM: &str = r"(?: de ell[oa]s| de es[oa]s| of them| of those| tacos?)?";
const END: &str = r"\s*($|[,.;!])";

/// A pattern in which `<N>`, `THEM` and `END` stand for the common parts.
fn pattern(text: &str) -> Regex {
    let text = text.replace("THEM", OF_THEM).replace("END", END);
    let text = text.replace("<N>", N);
    Regex::new(&format!("(?i){text}")).expect("the patterns are constant and tested")
}

static HALF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:la |the |one )?(?:otra |other )?(?:mitad|half)\b(?: de ell[oa]s| of them| of those)?(?: (\w+)(?: l[oa]s (\w+)(?: (\w+))?)?)?",
    )
});
static EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b<N> (?:de cada|of each|each of)\b(?: un[oa]| tipo| sabor| one| kind)?:?")
});
static REST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:,|\by|\band)+ (?:el resto|l[oa]s dem[aá]s|l[oa]s otr[oa]s|the rest|the others)(?: que)?(?: sean| son| are)?(?: de| al)? (\w+)",
    )
});
/// What is as it was said to be already: "y los demás normales".
static PLAIN_REST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:,|\by|\band)+ (?:el resto|l[oa]s dem[aá]s|(?:l[oa]s |la |el )?otr[oa]s?|the rest|the others?) (?:normal(?:es)?|igual(?:es)?|sencill[oa]s?|regular|plain)\b",
    )
});
static LEAVES_OFF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:qu[ií]ta\w*|remove|take off|hold) (?:la |el |los |las |the )?(\w+) (?:de|a|en|from|on|to|off) <N>THEMEND",
    )
});
static PUTS_ON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:p[oó]n\w*|[eé]cha\w*|agr[eé]ga\w*|add|put) (?:la |el |the )?(\w+) (?:a|en|on|to) <N>THEMEND",
    )
});
static TO_SOME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\ba,? <N>THEM (p[oó]n\w*|[eé]cha\w*|agr[eé]ga\w*|qu[ií]ta\w*) (?:la |el |los |las )?(\w+)",
    )
});
static ON_SOME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:,|\band|\bplease)+ (with |without |no )?(\w+) on <N> of (?:them|those)\b")
});
static THE_LAST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:,|\by|\bpero)* (?:est[oa]s|es[oa]s|l[oa]s|these|those|the)(?: [uú]ltim[oa]s| last ones)? (con|sin|with|without)\b",
    )
});
static THE_ONES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:,|\by)(?: y| pero)? ((?:los|las) (?:de |del )?(\w+)(?: \w+)? (?:con|sin|bien)\b)")
});
static ALL_BUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b((?:qu[ií]t|elimin|borr|s[aá]c|remov|drop|take)\w*(?: out| off)?) (?:tod[oa]s?|everything|all)(?: lo dem[aá]s)? (?:menos|excepto|salvo|except for|except|but)\b",
    )
});
static NOT_THESE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bno (los|las|el|la) (de |al )?(\w+), ?(?:sino |mejor |que sean )?(?:l[oa]s )?de (\w+)",
    )
});
static TOLD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W*(?:(?:no|oye|perd[oó]n|si|s[ií]|pero|but|i|it|eran|deben|ser|que),? )*(?:dice|dije|ped[ií]|eran|son|said|ordered|asked for|says|pero|but)(?: que)?(?: eran| son)? <N>\W*$",
    )
});
static SOME_ARE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:\bque )?\b<N> (?:que )?(?:sean?|fueran?|mejor) (?:de |al )(\w+)")
});
static MAKE_SOME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bmake <N> of (?:them|those) (\w+)"));
static COUNTED_WITHOUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\w+) <N> (sin|without)\b"));
static NO_THING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(^|\bbut|\bpero|\band|\by|,|\bs[ií]|\byes|\bsure|\bok)( ?)no (\w+)")
});

/// What stands behind a half that is no share of an order: "half a dozen", "mitad y mitad".
const NO_SHARE: &[&str] = &[
    "a", "dozen", "y", "and", "kilo", "litro", "pound", "price", "off",
];

/// Whether a message that was taken for a yes also says that something is to be otherwise.
pub(in super::super) fn contrasts(words: &str) -> bool {
    let without = says(words, &["sin", "without"]) && !says(words, &NO_WISH);
    without || says(words, &CONTRAST)
}

/// What stands behind "quita todo menos".
pub(super) fn spared(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    rest.strip_prefix("todo excepto ")
}

impl Basket {
    /// A message with its portions told one by one.
    pub(super) fn in_portions(&self, text: &str, menu: &Menu, heed: Heed) -> String {
        let text = without_allergies(text);
        let text = PLAIN_REST.replace_all(&text, "");
        let text = self.halves(&text, menu);
        let text = of_each(&text, menu);
        let text = self.rest(&text, menu);
        let text = NO_THING.replace_all(&text, |found: &Captures<'_>| {
            let thing = folded(&found[3]);
            let english = LEFT_OFF_IN_ENGLISH.contains(&thing.as_str());
            // "No onions on the tacos" is read as it stands.
            let aimed = found[1].is_empty() && says(&folded(&text), &["the"]);
            if aimed || !english && !LEFT_OFF.contains(&thing.as_str()) {
                return found[0].to_owned();
            }
            let without = if english { "without" } else { "sin" };
            format!("{}{}{without} {}", &found[1], &found[2], &found[3])
        });
        let own = self.own(menu);
        let text = LEAVES_OFF.replace_all(&text, |found: &Captures<'_>| {
            // What was ordered itself is taken out, and off nothing.
            let ordered = read_order(&found[1], &own);
            if self.items.is_empty() || ordered.iter().any(|line| line.matched().is_some()) {
                return found[0].to_owned();
            }
            format!(", {} sin {} {}", &found[2], &found[1], &found[3])
        });
        let text = PUTS_ON.replace_all(&text, ", $2 con $1 $3");
        let text = TO_SOME.replace_all(&text, |found: &Captures<'_>| {
            let off = folded(&found[2]).starts_with("quit");
            let how = if off { "sin" } else { "con" };
            format!(", {} {how} {}", &found[1], &found[3])
        });
        let text = ON_SOME.replace_all(&text, |found: &Captures<'_>| {
            let how = found.get(1).map_or("with", |how| how.as_str().trim());
            let how = if folded(how) == "no" { "without" } else { how };
            format!(", {} {how} {}", &found[3], &found[2])
        });
        let text = ALL_BUT.replace_all(&text, "$1 todo excepto");
        let text = NOT_THESE.replace_all(&text, ". cambia $1 $2$3 por $4");
        let text = THE_LAST.replace_all(&text, ". $1");
        let text = THE_ONES.replace_all(&text, |found: &Captures<'_>| {
            let counted = number(&folded(&found[2])).is_some();
            let sign = if counted { "," } else { "." };
            format!("{sign} {}", &found[1])
        });
        let text = SOME_ARE.replace_all(&text, |found: &Captures<'_>| self.some_are(found, menu));
        let text = MAKE_SOME.replace_all(&text, |found: &Captures<'_>| self.some_are(found, menu));
        let text = COUNTED_WITHOUT.replace_all(&text, |found: &Captures<'_>| {
            let before = folded(&found[1]);
            let leads = is_article(&before)
                || number(&before).is_some()
                || ["y", "and", "a", "de", "con", "with"].contains(&before.as_str());
            let sign = if leads { "" } else { "," };
            format!("{}{sign} {} {}", &found[1], &found[2], &found[3])
        });
        let told = TOLD.captures(&text).filter(|_| heed != Heed::Everything);
        match told.filter(|_| self.items.len() == 1) {
            Some(found) => format!("que sean {}", &found[1]),
            None => text.into_owned(),
        }
    }

    /// Halves as numbers, of what they are said to be of, of what was counted last before them, or of what is
    /// in the order.
    fn halves(&self, text: &str, menu: &Menu) -> String {
        let mut whole = None;
        let halves = HALF.replace_all(text, |found: &Captures<'_>| {
            let said = found[0].to_owned();
            let all = found.get(0).expect("a match has a whole");
            let next = found.get(1).map(|next| folded(next.as_str()));
            if next.as_deref().is_some_and(|next| NO_SHARE.contains(&next)) {
                return said;
            }
            let named: Vec<String> = [2, 3]
                .iter()
                .filter_map(|at| Some(folded(found.get(*at)?.as_str())))
                .collect();
            let mut before = read_order(&text[..all.start()], menu);
            before
                .retain(|line| !matches!(line, Line::Unknown { .. } | Line::WrongQuantity { .. }));
            whole = whole.or_else(|| self.whole_of(&before, &named));
            let Some(whole) = whole.filter(|whole| whole % 2 == 0) else {
                return said;
            };
            // "La mitad de suadero", of what was ordered before, is another kind of half of it.
            let kind = matches!(next.as_deref(), Some("de" | "al" | "of")) && named.is_empty();
            if kind && before.is_empty() && !self.items.is_empty() {
                return format!(". cambia {} por", whole / 2);
            }
            let behind = found
                .get(1)
                .map_or("", |next| &text[next.start()..all.end()]);
            let prefix = text[..all.start()].trim_end();
            let joined = prefix.is_empty()
                || prefix.ends_with([',', '.', ';', ':'])
                || matches!(
                    prefix.rsplit(' ').next().map(folded).as_deref(),
                    Some("y" | "and" | "a" | "que")
                );
            let sign = if joined { "" } else { ", " };
            format!("{sign}{} {behind}", whole / 2)
        });
        halves.into_owned()
    }

    fn whole_of(&self, before: &[Line], named: &[String]) -> Option<u32> {
        let is_named = |name: &str| {
            let name = folded(name);
            let stems = named.iter().map(|word| word.trim_end_matches('s'));
            let mut stems = stems.filter(|stem| stem.len() > 2);
            stems.any(|stem| name.split(' ').any(|word| word.starts_with(stem)))
        };
        let said = before.iter().filter_map(Line::matched);
        let mut said = said.filter(|line| is_named(&line.item.name));
        let said = said.next_back().map(|line| line.quantity);
        let ordered = || {
            let mut named = self.items.iter().filter(|item| is_named(&item.name));
            named.next_back().map(|item| item.quantity)
        };
        said.or_else(|| before.last().map(quantity_of))
            .or_else(ordered)
            .or_else(|| self.items.last().map(|item| item.quantity))
    }

    /// "4 de pastor y el resto de bistec" of ten. What is left of the things that are in the order already stays
    /// as it is.
    fn rest(&self, text: &str, menu: &Menu) -> String {
        let rest = REST.replace_all(text, |found: &Captures<'_>| {
            let all = found.get(0).expect("a match has a whole");
            let before = folded(&text[..all.start()]);
            let numbers: Vec<u32> = before.split(' ').filter_map(number).collect();
            let left = numbers.split_first().and_then(|(whole, parts)| {
                let parts: u32 = parts.iter().sum();
                (parts > 0).then(|| whole.checked_sub(parts)).flatten()
            });
            if let Some(left) = left.filter(|left| *left > 0) {
                return format!(", {left} de {}", &found[1]);
            }
            let known = read_order(&found[1], &self.own(menu));
            if numbers.len() == 1 && matches!(known.as_slice(), [Line::Matched(_)]) {
                return String::new();
            }
            found[0].to_owned()
        });
        rest.into_owned()
    }

    /// "Que 2 sean de bistec": so many of what was ordered last are of another kind.
    fn some_are(&self, found: &Captures<'_>, menu: &Menu) -> String {
        let thing = &found[2];
        let known = !read_order(thing, menu)
            .iter()
            .any(|line| matches!(line, Line::Unknown { .. }));
        if self.items.is_empty() || !known {
            return found[0].to_owned();
        }
        format!(". cambia {} por {thing}", &found[1])
    }
}

/// "3 de cada uno: pastor y suadero", and so many of each of the things before it.
fn of_each(text: &str, menu: &Menu) -> String {
    let Some(found) = EACH.captures(text) else {
        return text.to_owned();
    };
    let all = found.get(0).expect("a match has a whole");
    let (before, behind) = (&text[..all.start()], &text[all.end()..]);
    let count = &found[1];
    let names = |list: &str| -> Vec<String> {
        let parts = list
            .split([',', '.', ';'])
            .flat_map(|part| part.split(" y "));
        let parts = parts.flat_map(|part| part.split(" and ")).map(str::trim);
        let parts = parts.filter(|part| !folded(part).is_empty());
        parts.map(str::to_owned).collect()
    };
    let listed = |list: &str, of: &str| {
        let names = names(list);
        let names = names.iter().map(|name| format!("{count} {of}{name}"));
        names.collect::<Vec<_>>().join(", ")
    };
    let known = |text: &str| {
        let lines = read_order(text, menu);
        let unknown = lines
            .iter()
            .any(|line| matches!(line, Line::Unknown { .. }));
        lines.len() > 1 && !unknown && !counts(text)
    };
    if known(behind) {
        let of = if counts(before) { "de " } else { "" };
        return format!("{before}{}", listed(behind, of));
    }
    if folded(behind).is_empty() && known(before) {
        return listed(before, "");
    }
    let first = folded(behind);
    let first = first.split(' ').next().unwrap_or_default();
    if matches!(first, "sin" | "con" | "with" | "without") {
        let end = behind.find([',', '.', ';']).unwrap_or(behind.len());
        let (wish, rest) = behind.split_at(end);
        let mut ordered: Vec<String> = Vec::new();
        for line in read_order(before, menu).iter().filter_map(Line::matched) {
            if !ordered.contains(&line.item.name) {
                ordered.push(line.item.name.clone());
            }
        }
        let parts = ordered.iter();
        let parts = parts.map(|name| format!(", {count} de los {name} {}", wish.trim()));
        let parts: String = parts.collect();
        if !parts.is_empty() {
            let before = before.trim_end().trim_end_matches([',', ';']);
            return format!("{before}{parts}{rest}");
        }
    }
    text.to_owned()
}
