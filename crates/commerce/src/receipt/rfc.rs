//! The tax number of the shop.

use super::Field;
use super::lines::{Line, digit_of, shape};
use crate::tax::{Rfc, RfcKind};

/// A number may be printed in this many parts: letters, date, the rest.
const MAX_PARTS: usize = 4;
/// How sure a number is whose check digit is right: as printed, or after letters and digits that
/// look alike were exchanged.
const RIGHT: f32 = 0.9;
const REPAIRED: f32 = 0.8;
/// How sure it is when the check digit is wrong, which happens to numbers in use as well.
const WRONG: f32 = 0.3;
/// What a label beside it adds.
const LABELLED: f32 = 0.08;
/// What is taken off when the lines around it are about the customer.
const OF_CUSTOMER: f32 = 0.5;

/// The surest tax number of the ticket that is not the customer's. The numbers that stand for the
/// public and for foreigners are always the customer's.
pub(super) fn find(lines: &[Line]) -> Option<Field<String>> {
    let mut best: Option<Field<String>> = None;
    let mut customer_above = false;
    for line in lines {
        let about_customer = is_about_customer(line);
        for (rfc, confidence) in candidates(line) {
            let less = if about_customer || customer_above {
                OF_CUSTOMER
            } else {
                0.0
            };
            let confidence = confidence - less;
            let surer = best
                .as_ref()
                .is_none_or(|known| confidence > known.confidence);
            if surer && confidence > 0.0 {
                best = Some(Field::new(rfc.value, confidence));
            }
        }
        customer_above = about_customer;
    }
    best
}

fn is_about_customer(line: &Line) -> bool {
    let words = ["cliente", "receptor", "comprador"].map(shape);
    line.pieces.iter().any(|piece| words.contains(&piece.shape))
}

fn candidates(line: &Line) -> Vec<(Rfc, f32)> {
    let mut found = Vec::new();
    let mut labelled = false;
    for at in 0..line.pieces.len() {
        let piece = &line.pieces[at];
        if piece.shape == "rfc" {
            labelled = true;
            continue;
        }
        let mut joined = String::new();
        for part in line.pieces[at..].iter().take(MAX_PARTS) {
            joined.extend(
                part.written
                    .chars()
                    .filter(|c| c.is_alphanumeric() || *c == '&'),
            );
            let (text, labelled) = match glued(&joined) {
                Some(number) => (number, true),
                None => (joined.as_str(), labelled),
            };
            found.extend(read(text, labelled).filter(|(rfc, _)| is_of_somebody(rfc)));
            if joined.chars().count() > 16 {
                break;
            }
        }
    }
    found
}

fn is_of_somebody(rfc: &Rfc) -> bool {
    matches!(rfc.kind, RfcKind::Natural | RfcKind::Legal)
}

/// What follows a label that was printed or scanned without a space.
fn glued(text: &str) -> Option<&str> {
    let number = text
        .get(3..)
        .filter(|number| number.chars().count() >= 12)?;
    text.get(..3)
        .filter(|label| label.eq_ignore_ascii_case("rfc"))?;
    Some(number)
}

fn read(text: &str, labelled: bool) -> Option<(Rfc, f32)> {
    // Among capitals, a small letter of this form is a misread one.
    let capitals = text.contains(|c: char| c.is_uppercase());
    let unlike = text
        .chars()
        .map(|c| if capitals && c == 'l' { '|' } else { c });
    let characters: Vec<char> = unlike.flat_map(char::to_uppercase).collect();
    let letters = match characters.len() {
        12 => 3,
        13 => 4,
        _ => return None,
    };
    // Most words of this length end here.
    let date = characters.get(letters..letters + 6)?;
    date.iter().all(|c| digit_of(*c).is_some()).then_some(())?;
    let more = if labelled { LABELLED } else { 0.0 };
    let printed = Rfc::parse(text).ok();
    if let Some(rfc) = printed.clone().filter(|rfc| rfc.check_digit_matches) {
        return Some((rfc, RIGHT + more));
    }
    if let Some(rfc) = repaired(&characters, letters) {
        return Some((rfc, REPAIRED + more));
    }
    printed.map(|rfc| (rfc, WRONG + more))
}

/// The one number with a right check digit that a scanner may have misread so. When there are
/// several, none is better than another.
fn repaired(characters: &[char], letters: usize) -> Option<Rfc> {
    let (name, rest) = characters.split_at(letters);
    let (date, ending) = rest.split_at(6);
    let mut readings: Vec<String> = vec![
        name.iter()
            .map(|c| letter_of(*c))
            .chain(date.iter().map(|c| digit_of(*c).unwrap_or(*c)))
            .collect(),
    ];
    for character in ending {
        let likes = [
            Some(*character),
            digit_of(*character),
            Some(letter_of(*character)),
        ];
        let mut likes: Vec<char> = likes.into_iter().flatten().collect();
        likes.sort_unstable();
        likes.dedup();
        readings = readings
            .iter()
            .flat_map(|reading| likes.iter().map(move |like| format!("{reading}{like}")))
            .collect();
    }
    let parsed = readings
        .iter()
        .filter_map(|reading| Rfc::parse(reading).ok());
    let mut right = parsed.filter(|rfc| rfc.check_digit_matches);
    right.next().filter(|_| right.next().is_none())
}

/// The letter that a scanner may have taken for this character.
fn letter_of(character: char) -> char {
    match character {
        '0' => 'O',
        '1' | '|' | '!' => 'I',
        '5' => 'S',
        '8' => 'B',
        other => other,
    }
}
