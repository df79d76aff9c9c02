//! A message without what the customer says of themselves, so that a name is no dish and a telephone
//! counts nothing; and names that are given together with a telephone, or one part after another.

use super::{DETAILS, MOST_WORDS, could_be_name, email, leading_name, phone, written};
use quipu_core::text::fold;

/// What announces nothing but a name, and whether the name may be written in small letters.
const PLAINLY: &[(&[&str], bool)] = &[
    (&["a", "nombre", "de"], true),
    (&["a", "nombre"], true),
    (&["in", "the", "name", "of"], true),
    (&["under", "the", "name", "of"], true),
    (&["under", "the", "name"], true),
    (&["el", "nombre", "es"], true),
    (&["mi", "nombre", "es"], true),
    (&["my", "name", "is"], true),
    (&["the", "name", "is"], true),
    (&["name's"], true),
    (&["me", "llamo"], true),
    (&["soy"], false),
    (&["this", "is"], false),
    (&["i'm"], false),
    (&["i", "am"], false),
];
/// What may stand beside a name and a telephone that are all a message says.
const BESIDE: &[&str] = &[
    "es", "is", "soy", "el", "al", "a", "de", "hola", "claro", "si", "yes", "gracias", "porfa",
    "nombre", "name",
];

/// The folded words of a text as they are compared, without the signs around them.
fn plain(word: &str) -> String {
    let word = fold(word.trim()).replace('’', "'");
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '+');
    word.to_owned()
}

fn ends_part(word: &str) -> bool {
    word.trim_end().ends_with([',', ';', '.']) || word.contains('\n')
}

/// How many words from here announce a name and are it.
fn name_at(words: &[&str], plainly: &[String], at: usize) -> Option<usize> {
    let bare = |word: &&str| -> String {
        let word = word.trim();
        word.trim_matches(|c: char| matches!(c, ',' | '.' | ';' | '!' | '?'))
            .to_owned()
    };
    PLAINLY.iter().find_map(|(marker, small)| {
        let end = at + marker.len();
        let said = plainly.get(at..end).is_some_and(|said| said == *marker);
        let ended = said && words[at..end].iter().any(|word| ends_part(word));
        if !said || ended {
            return None;
        }
        // A name ends with the part of the message that it stands in.
        let rest = &words[end..];
        let part = rest.iter().position(|word| ends_part(word));
        let part = &rest[..part.map_or(rest.len(), |last| last + 1)];
        let part: Vec<String> = part.iter().map(bare).collect();
        let part: Vec<&str> = part.iter().map(String::as_str).collect();
        let name = leading_name(&part, |word| could_be_name(word, *small, false, &[]));
        (!name.is_empty()).then_some(marker.len() + name.len())
    })
}

/// How many words from here are a telephone.
fn phone_at(plain: &[String]) -> Option<usize> {
    let digits = |word: &&String| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_digit() || "+-().".contains(c))
    };
    let length = plain.iter().take_while(digits).count();
    let said = plain[..length].join(" ");
    phone(&said).map(|_| length)
}

/// Whether a clause is no name but what leads to a number or an address of mail.
fn is_detail(word: &str) -> bool {
    DETAILS.contains(&word) || BESIDE.contains(&word)
}

/// A text without the name, the telephone and the address of mail of the customer.
pub(in super::super) fn without_contacts(text: &str) -> String {
    if name_with_phone(text).is_some_and(|(_, whole)| whole) {
        return String::new();
    }
    let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let plainly: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut left_out = false;
    let mut at = 0;
    while at < words.len() {
        let phone = phone_at(&plainly[at..]);
        let mail = email(words[at]).map(|_| 1);
        let Some(length) = name_at(&words, &plainly, at).or(phone).or(mail) else {
            kept.push(words[at]);
            at += 1;
            continue;
        };
        if phone.is_some() || mail.is_some() {
            // "Mi cel es" leads to nothing now, and a name right before it is no thing either.
            let named = |word: &str| {
                let word = word.trim();
                could_be_name(word, false, false, &[])
            };
            while kept.last().is_some_and(|word| {
                let detail = is_detail(&plain(word)) && !ends_part(word);
                detail || named(word)
            }) {
                kept.pop();
            }
        }
        left_out = true;
        at += length;
        kept.push(", ");
    }
    if left_out {
        kept.concat()
    } else {
        text.to_owned()
    }
}

/// The name that stands beside a telephone, and whether the two are all that the text says: "Leo,
/// 5512345678".
pub(super) fn name_with_phone(text: &str) -> Option<(String, bool)> {
    phone(text)?;
    let digits = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let parts = text.split([',', ';', '\n', ':', '.']);
    let parts: Vec<Vec<&str>> = parts
        .map(|part| part.split_whitespace().collect())
        .collect();
    let others = parts.iter().flatten().copied();
    let others = others.filter(|word| !digits(word) && !is_detail(&plain(word)));
    let others: Vec<&str> = others.collect();
    // A number beside the telephone is that of a street.
    let all: Vec<String> = text.split_whitespace().map(plain).collect();
    let from = (0..all.len()).find(|at| phone_at(&all[*at..]).is_some());
    let until = from.map(|from| from + phone_at(&all[from..]).unwrap_or(0));
    let inside =
        |at: usize| from.is_some_and(|from| at >= from) && until.is_some_and(|end| at < end);
    let numbered = (0..all.len()).any(|at| digits(&all[at]) && !inside(at));
    let whole = !numbered
        && (1..MOST_WORDS).contains(&others.len())
        && leading_name(&others, |word| could_be_name(word, true, false, &[])).len()
            == others.len();
    if whole {
        return Some((written(&others)?, true));
    }
    let beside = parts.iter().find(|part| phone(&part.join(" ")).is_some())?;
    let named = beside.iter().take_while(|word| !digits(word));
    let named: Vec<&str> = named
        .filter(|word| !is_detail(&plain(word)))
        .copied()
        .collect();
    let name = leading_name(&named, |word| could_be_name(word, false, false, &[]));
    let all = name.len() == named.len() && !name.is_empty();
    all.then(|| written(name))
        .flatten()
        .map(|name| (name, false))
}

/// The whole of a name of which a part is known: "soy elsa prado" after "Elsa", "me apellido Prado".
pub(in super::super) fn completed(text: &str, known: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';' | '!'))
        .filter(|word| !word.is_empty())
        .collect();
    let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
    let before: Vec<String> = known.split(' ').map(fold).collect();
    let small = |word: &str| could_be_name(word, true, false, &[]);
    let surname = folded
        .iter()
        .position(|word| matches!(word.as_str(), "apellido" | "surname"));
    if let Some(at) = surname {
        let from = at
            + 1
            + usize::from(
                folded
                    .get(at + 1)
                    .is_some_and(|word| word == "es" || word == "is"),
            );
        let more = written(leading_name(words.get(from..)?, small))?;
        let said = known.split(' ').any(|word| fold(word) == fold(&more));
        return (!said).then(|| format!("{known} {more}"));
    }
    let at = folded
        .windows(before.len())
        .position(|said| said == before)?;
    let whole = leading_name(&words[at..], small);
    // "Elsa está bien" names nobody else.
    let alone = at + whole.len() == words.len();
    (whole.len() > before.len() && alone)
        .then(|| written(whole))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_customer_is_left_of_a_message() {
        for (text, left) in [
            ("4 tacos a nombre de Leo", "4 tacos , "),
            (
                "4 tacos, a nombre de leo para recoger",
                "4 tacos, , para recoger",
            ),
            (
                "4 tacos a nombre de leo y dos cocas",
                "4 tacos , y dos cocas",
            ),
            (
                "4 tacos, soy Leo, mi cel 5512345678, en Roma",
                "4 tacos, , , en Roma",
            ),
            ("para recoger, Leo Paz 55 1234 5678", "para recoger, , "),
            ("Leo, 5512345678", ""),
            ("leo paz 5512345678", ""),
            (
                "Durango 120 int 3, a nombre de Leo",
                "Durango 120 int 3, , ",
            ),
            ("soy alérgica a la nuez", "soy alérgica a la nuez"),
            ("4 tacos de pastor", "4 tacos de pastor"),
        ] {
            assert_eq!(without_contacts(text), left, "{text}");
        }
    }

    #[test]
    fn names_are_completed() {
        for (text, known, whole) in [
            ("soy elsa prado", "Elsa", Some("Elsa Prado")),
            ("Elsa Prado Díaz", "Elsa Prado", Some("Elsa Prado Díaz")),
            ("me apellido prado", "Elsa", Some("Elsa Prado")),
            ("sí, Elsa está bien", "Elsa", None),
            ("soy Elsa", "Elsa", None),
            ("mañana a las 5", "Elsa", None),
        ] {
            assert_eq!(completed(text, known).as_deref(), whole, "{text}");
        }
    }
}
