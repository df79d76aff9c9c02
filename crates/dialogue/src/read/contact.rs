//! Who the customer is, as they say it themselves: names, telephones and e-mail addresses.

use super::{HeardMessage, HeardSpan, WordList, folded_words};
use quipu_core::reading::SpanKind;
use quipu_core::text::fold;

/// More words than this are no name.
const MOST_WORDS: usize = 5;
const LONGEST_NAME: usize = 80;
/// A word that is cut short, such as "Ma." or "J.", is no longer with its dot.
const SHORTENED: usize = 3;
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// How many words may stand between a paper and its number: "mi DNI es el 45678912".
const BEFORE_NUMBER: usize = 3;

/// How much a name is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameWish {
    /// It was asked for, so that a bare answer is one.
    Asked,
    /// Something is being settled that needs one: a few capitals between commas may be it.
    Wanted,
    /// Only what is announced or marked counts.
    Unasked,
}

pub(super) struct NameContext<'a> {
    pub(super) wish: NameWish,
    /// Whether a text names something else, such as a service or a zone.
    pub(super) known: &'a dyn Fn(&str) -> bool,
}

/// The names that a message gives, the announced ones first.
pub(super) fn names(heard: &HeardMessage, context: &NameContext<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |name: Option<String>| {
        if let Some(name) = name.filter(|name| !(context.known)(name))
            && !found.iter().any(|known| fold(known).contains(&fold(&name)))
        {
            found.push(name);
        }
    };
    for clause in clauses(&heard.text) {
        add(announced(clause));
    }
    for span in heard.of(SpanKind::Name) {
        add(as_name(&span.text));
    }
    if !found.is_empty() || context.wish == NameWish::Unasked {
        return found;
    }
    let address = heard.of(SpanKind::Address);
    let marked: Vec<&str> = address.map(|span| span.text.as_str()).collect();
    // Of an address with its number, a clause without one may be who lives there.
    let numbered = marked
        .iter()
        .any(|place| place.contains(|c: char| c.is_ascii_digit()));
    for clause in clauses(&heard.text) {
        let bare = as_name(clause).filter(|name| {
            let words = name.split_whitespace().count();
            let capital = is_capital(clause);
            let placed = marked.iter().any(|place| place.contains(name.as_str()));
            let street = WordList::get("streets").is_in(&folded_words(name));
            match context.wish {
                NameWish::Asked => !street && (capital || words <= 4),
                _ => capital && words >= 2 && !street && (!placed || numbered),
            }
        });
        if let Some(name) = bare.filter(|name| !(context.known)(name)) {
            found.push(name);
            break;
        }
    }
    found
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let signs = [',', '.', ';', ':', '!', '¡', '¿', '\n', '(', ')'];
    let clauses = text.split(signs).map(str::trim);
    clauses.filter(|clause| !clause.is_empty() && !clause.ends_with('?'))
}

/// The name behind what announces one: "a nombre de Ana Ruiz", "soy Luis".
fn announced(clause: &str) -> Option<String> {
    let said: Vec<&str> = clause.split_whitespace().collect();
    let words: Vec<String> = said.iter().map(|word| plain(word)).collect();
    let strong = WordList::get("announces_name").find(&words);
    let weak = || WordList::get("may_announce_name").find(&words);
    if let Some((at, length)) = strong
        && at > 0
        && at + length == said.len()
    {
        // "Eusebio Palomino me llamo" has the name before it.
        let capitals = said[..at]
            .iter()
            .rev()
            .take_while(|word| word.starts_with(char::is_uppercase));
        let from = at - capitals.count().min(MOST_WORDS);
        return as_name(&said[from..at].join(" "));
    }
    let (behind, certain) = if let Some((at, length)) = strong {
        (at + length, true)
    } else {
        let (at, length) = weak()?;
        (at + length, false)
    };
    let rest = said.get(behind..)?;
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    // Who writes a name with a capital writes all of it so: "Iván porfas".
    let small = |word: &&&str| WordList::get("before_names").has(&plain(word));
    let rest = &rest[rest.iter().take_while(small).count()..];
    let written = rest.first().is_some_and(|word| capital(word));
    let is_word = |word: &&&str| {
        let folded = plain(word);
        let particle = WordList::get("name_particles").has(&folded) && folded != "y";
        let ordinary = WordList::get("never_names").has(&folded);
        is_letters(word) && !ordinary && (capital(word) || certain && !written || particle)
    };
    let mut taken = rest.iter().take_while(is_word).count();
    // A name goes on no further than its sentence.
    let initial = |word: &str| word.ends_with('.') && word.chars().count() <= SHORTENED;
    let ends = rest
        .iter()
        .position(|word| word.ends_with(['?', '!', '.', ';']) && !initial(word));
    taken = ends.map_or(taken, |at| taken.min(at + 1));
    let mut name = rest[..taken.min(MOST_WORDS)].to_vec();
    while name
        .last()
        .is_some_and(|word| WordList::get("name_particles").has(&plain(word)))
    {
        name.pop();
    }
    let any_capital = name.iter().any(|word| capital(word));
    if name.is_empty() || (!any_capital && name.len() > 3) {
        return None;
    }
    as_name(&name.join(" "))
}

/// A text as a name, if it can be one.
pub(crate) fn as_name(text: &str) -> Option<String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let small = |word: &&str| WordList::get("before_names").has(&plain(word));
    while words.first().is_some_and(small) {
        words.remove(0);
    }
    let name = words.join(" ");
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    let ordinary = words
        .iter()
        .any(|word| WordList::get("never_names").has(&plain(word)));
    let title = |word: &&str| WordList::get("titles").has(&plain(word));
    let firm = words
        .iter()
        .any(|word| WordList::get("company_forms").has(&plain(word)));
    let fits = !name.is_empty()
        && !firm
        && !words.iter().all(title)
        && words.len() <= MOST_WORDS
        && name.chars().count() <= LONGEST_NAME
        && name.chars().count() > 1
        && words.iter().all(|word| is_letters(word))
        && !ordinary;
    fits.then(|| cased(name))
}

/// A name in small letters with capitals, as it is read back.
fn cased(name: &str) -> String {
    if name.chars().any(char::is_uppercase) && name.chars().any(char::is_lowercase) {
        return name.to_owned();
    }
    let words = name.split(' ').map(|word| {
        let lower = word.to_lowercase();
        if WordList::get("name_particles").has(&plain(word)) {
            return lower;
        }
        let mut letters = lower.chars();
        match letters.next() {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => lower.clone(),
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

fn plain(word: &str) -> String {
    fold(word.trim_matches(|c: char| !c.is_alphanumeric()))
}

fn is_letters(word: &str) -> bool {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    let letter = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '.');
    !inner.is_empty() && inner.chars().all(letter)
}

/// Whether every word of a name but its particles begins with a capital letter.
fn is_capital(name: &str) -> bool {
    let mut words = name.split(' ');
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    words.all(|word| capital(word) || WordList::get("name_particles").has(&plain(word)))
}

/// The telephone number that a text gives, as it is written.
pub(super) fn written_phone(text: &str, spans: &[HeardSpan]) -> Option<String> {
    let marked = spans.iter().find(|span| {
        span.kind == SpanKind::Phone && PHONE_DIGITS.contains(&digits(&span.text).len())
    });
    if let Some(span) = marked {
        return Some(span.text.clone());
    }
    let other = |at: usize| {
        let other = [SpanKind::Amount, SpanKind::Code, SpanKind::Address];
        let mut spans = spans.iter();
        spans.any(|span| other.contains(&span.kind) && span.range.contains(&at))
    };
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '.' | '(' | ')' | '+');
    let mut from = 0;
    for run in text.split_inclusive(|c: char| !is_part(c)) {
        let start = from;
        from += run.len();
        let run = run.trim_end_matches(|c: char| !is_part(c));
        let number = run.trim_matches(|c: char| !c.is_ascii_digit() && c != '+');
        let begins = start + run.find(number).unwrap_or(0);
        let before = folded_words(&text[..begins]);
        let near = &before[before.len().saturating_sub(BEFORE_NUMBER)..];
        let paper = WordList::get("papers").is_in(near) && !WordList::get("telephones").is_in(near);
        if PHONE_DIGITS.contains(&digits(number).len()) && !paper && !other(begins) {
            return Some(number.to_owned());
        }
    }
    None
}

/// The telephone number that a text gives, by its digits.
pub(crate) fn find_phone(text: &str, spans: &[HeardSpan]) -> Option<String> {
    let written = written_phone(text, spans)?;
    let plus = if written.trim_start().starts_with('+') {
        "+"
    } else {
        ""
    };
    Some(format!("{plus}{}", digits(&written)))
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The e-mail address that a text gives.
pub(crate) fn find_email(text: &str) -> Option<String> {
    let is_end = |c: char| !c.is_alphanumeric();
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '<' | '>'));
    let found = words.find(|word| {
        let word = word.trim_matches(is_end);
        let Some((who, place)) = word.split_once('@') else {
            return false;
        };
        !who.is_empty() && place.contains('.') && !place.contains('@') && word.len() <= 254
    });
    found.map(|word| word.trim_matches(is_end).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::MessageGuess;
    use super::*;
    use quipu_core::language::Language;

    fn name(text: &str, wish: NameWish) -> Option<String> {
        let heard = HeardMessage::new(text, Language::Es, None, MessageGuess::default());
        let known = |text: &str| fold(text).contains("limpieza");
        let context = NameContext {
            wish,
            known: &known,
        };
        names(&heard, &context).into_iter().next()
    }

    #[test]
    fn names_are_read_as_people_give_them() {
        let asked = |text| name(text, NameWish::Asked);
        assert_eq!(asked("mónica terán").as_deref(), Some("Mónica Terán"));
        assert_eq!(
            asked("a nombre de Memo Zárate, pago con tarjeta").as_deref(),
            Some("Memo Zárate")
        );
        assert_eq!(
            asked("soy Marta Ibáñez Roca, 622 100 200").as_deref(),
            Some("Marta Ibáñez Roca")
        );
        assert_eq!(
            asked("mesa para 2 a nombre de Iván porfas").as_deref(),
            Some("Iván")
        );
        assert_eq!(
            asked("quiero ir mañana, Eusebio Palomino me llamo").as_deref(),
            Some("Eusebio Palomino")
        );
        assert_eq!(asked("la limpieza"), None);
        assert_eq!(asked("mañana a las 5"), None);
        assert_eq!(asked("sí, gracias"), None);
        let wanted = |text| name(text, NameWish::Wanted);
        assert_eq!(
            wanted("Jr. Ayacucho 540, Fiorella Ramos, pago con yape").as_deref(),
            Some("Fiorella Ramos")
        );
        assert_eq!(wanted("quiero una limpieza"), None);
        assert_eq!(name("soy alérgica a los mariscos", NameWish::Unasked), None);
        assert_eq!(name("Fiorella Ramos", NameWish::Unasked), None);
    }

    #[test]
    fn a_paper_has_no_telephone() {
        assert_eq!(find_phone("mi dni es el 45678912", &[]), None);
        assert_eq!(
            find_phone("mi número es 999 111 222 gracias", &[]).as_deref(),
            Some("999111222")
        );
        assert_eq!(
            find_phone("+52 442 000 0001", &[]).as_deref(),
            Some("+524420000001")
        );
        assert_eq!(find_phone("son 2 a las 17:00", &[]), None);
        assert_eq!(
            find_email("mi correo: Ana.Ruiz@mail.com, gracias").as_deref(),
            Some("ana.ruiz@mail.com")
        );
    }
}
