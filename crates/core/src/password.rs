//! How hard a text is to guess.

use crate::text::fold;
use std::sync::LazyLock;
use zxcvbn::{Score, zxcvbn};

/// Words that are taken again and again in Spanish; the library knows those of English.
static COMMON: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lines = include_str!("../data/common_passwords.txt").lines();
    let words = lines.map(str::trim).filter(|line| !line.starts_with('#'));
    let words = words.filter(|word| !word.is_empty());
    words.flat_map(spellings).collect()
});

/// A year or a number behind a name is no secret.
const LEAST_BESIDE: usize = 6;

const SHORTEST_WORD: usize = 3;
/// Longer ones are several in a row.
const LONGEST_WORD: usize = 12;

/// So many digits has the number of guesses for a random text of sixteen signs, hardly ever fewer.
const LEAST_OF_PROGRAM: f64 = 14.5;

/// The same of one word of a few thousand that everybody uses, and of a letter that stands by chance.
const OF_WORD: f64 = 3.0;
const OF_LETTER: f64 = 1.4;
/// Longer ones are two words without a space.
const USUAL_WORD: f64 = 8.0;
/// No usual word has more consonants in a row.
const LONGEST_CLUSTER: usize = 3;

/// Who has to be kept from guessing, by how often they can try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessEffort {
    /// A password that a person remembers: it stands behind a lock-out and a slow hash.
    Person,
    /// A secret that programs share, which nobody has to remember.
    Program,
}

/// Whether a text is among those that somebody would try first: sequences, keys in a row, dates,
/// repetitions, words that everybody takes, and what is known of whoever has it.
#[must_use]
pub fn is_guessable(text: &str, effort: GuessEffort, about: &[&str]) -> bool {
    let known = about.iter().flat_map(|text| parts(text));
    let known: Vec<String> = known.collect();
    let inputs = COMMON.iter().chain(&known).map(String::as_str);
    let inputs: Vec<&str> = inputs.collect();
    if effort == GuessEffort::Program && of_words(text) < LEAST_OF_PROGRAM {
        return true;
    }
    let text = plain(text);
    is_found(&text, effort, &known, &inputs)
        // Saying something twice costs whoever guesses one more try.
        || without_repeats(&text).is_some_and(|once| is_found(&once, effort, &known, &inputs))
}

fn is_found(text: &str, effort: GuessEffort, known: &[String], inputs: &[&str]) -> bool {
    if signs_beside(text, known) < LEAST_BESIDE || is_word_and_year(text) || is_address(text) {
        return true;
    }
    let guesses = zxcvbn(text, inputs);
    match effort {
        GuessEffort::Person => guesses.score() < Score::Three,
        GuessEffort::Program => guesses.guesses_log10() < LEAST_OF_PROGRAM,
    }
}

/// A text with each of its words and numbers once, if one of them comes again.
fn without_repeats(text: &str) -> Option<String> {
    let kind = |c: char| (c.is_alphabetic(), c.is_numeric());
    let mut parts: Vec<&str> = Vec::new();
    let mut from = 0;
    let mut before = None;
    let ends = text.char_indices().map(|(at, c)| (at, Some(kind(c))));
    for (at, kind) in ends.chain([(text.len(), None)]) {
        if before.is_some() && kind != before {
            parts.push(&text[from..at]);
            from = at;
        }
        before = kind;
    }
    let mut once: Vec<&str> = Vec::new();
    for part in &parts {
        // Single signs come again in anything.
        if part.chars().count() < SHORTEST_WORD || !once.contains(part) {
            once.push(part);
        }
    }
    (once.len() < parts.len()).then(|| once.concat())
}

/// How many digits the number of guesses has for whoever puts together words and numbers: a phrase stands
/// in an example or a guide, in whatever language, and somebody leaves it there.
fn of_words(text: &str) -> f64 {
    #[derive(Clone, Copy, PartialEq)]
    enum Sign {
        Letter,
        Digit,
        Other,
    }
    let sign = |c: char| match c {
        c if c.is_alphabetic() => Sign::Letter,
        c if c.is_numeric() => Sign::Digit,
        _ => Sign::Other,
    };
    let chars: Vec<char> = text.chars().collect();
    let begins =
        |a: &char, b: &char| !(a.is_lowercase() && b.is_uppercase()) && sign(*a) == sign(*b);
    let worth = chars.chunk_by(begins).map(|run| {
        let length = u32::try_from(run.len()).map_or(f64::INFINITY, f64::from);
        match sign(run[0]) {
            Sign::Letter if is_word_like(run) => OF_WORD * (length / USUAL_WORD).ceil(),
            Sign::Letter => OF_LETTER * length,
            Sign::Digit => length,
            // Between words there is always the same one.
            Sign::Other => length - 1.0,
        }
    });
    worth.sum()
}

/// Whether letters can be said: vowels stand among them, and never many others in a row.
fn is_word_like(letters: &[char]) -> bool {
    let is_vowel = |c: &char| "aeiouy".contains(plain(&c.to_string()).as_str());
    let clusters = letters.split(is_vowel).map(<[char]>::len);
    letters.len() >= SHORTEST_WORD
        && letters.iter().any(is_vowel)
        && clusters.max().unwrap_or_default() <= LONGEST_CLUSTER
}

/// Whether a text is one word and a year, perhaps with signs behind: the season, the town or the trade,
/// renewed each January. No list of words ends here.
fn is_word_and_year(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let (digits, word) = (
        &text[word.len()..],
        word.trim_end_matches(['-', '_', '.', ' ']),
    );
    let is_year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    is_year && word.chars().count() <= LONGEST_WORD && word.chars().all(char::is_alphabetic)
}

/// Whether a text is an e-mail address. Those of colleagues and of the business stand in every list and on
/// every page.
fn is_address(text: &str) -> bool {
    let Some((name, server)) = text.split_once('@') else {
        return false;
    };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    !name.is_empty()
        && server.contains('.')
        && !server.ends_with('.')
        && name.chars().chain(server.chars()).all(is_plain)
}

/// How many signs a text has beside the words that are known of its owner.
fn signs_beside(text: &str, known: &[String]) -> usize {
    let mut longest_first: Vec<&String> = known.iter().collect();
    longest_first.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let beside = longest_first.iter().fold(text.to_owned(), |left, word| {
        left.replace(word.as_str(), "")
    });
    beside.chars().count()
}

/// A text and its words: of an address the name, the house and the whole.
fn parts(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    // Shorter ones stand in everything.
    let words = words.filter(|word| word.chars().count() >= SHORTEST_WORD);
    let whole = [text, &text.replace(' ', "")].map(str::to_owned);
    words
        .chain(whole.iter().map(String::as_str))
        .flat_map(spellings)
        .collect()
}

/// A word with and without its accents.
fn spellings(word: &str) -> [String; 2] {
    [word.to_lowercase(), plain(word)]
}

fn plain(text: &str) -> String {
    fold(text).replace('ñ', "n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_tries_first_is_guessable() {
        for text in [
            "1234567890",
            "0987654321",
            "0123456789",
            "1111111111",
            "1122334455",
            "1212121212",
            "abcdefghij",
            "qwertyuiop",
            "QWERTY12345",
            "asdfghjkl1",
            "aaaaaaaaaaaaaaaaaaaa",
            "abcabcabcabc",
            "maria12345",
            "juan123456",
            "password123",
            "P@ssw0rd2024!",
            "Contraseña1",
            "contrasena123!",
            "administrador1",
            "bienvenido2026",
            "2580258025",
            "1q2w3e4r5t",
            "19/05/1984",
            "Clinica2026",
            "Verano2026!",
            "Peru-2026!!",
            "Odontologia2025",
            "peru2026peru",
            "nimda.nimda",
            "lima-lima-lima",
            "ana.ruiz+citas@clinica-sur.pe",
            "abcdefghijklmnop",
            "abcdefghijklmnopqrstuvwxyz",
        ] {
            assert!(is_guessable(text, GuessEffort::Person, &[]), "{text}");
        }
    }

    #[test]
    fn what_nobody_tries_is_not() {
        for text in [
            "una frase de prueba",
            "correcta-123",
            "café con leche",
            "kT9#vQ2mLp",
            "el perro de san roque",
            "9f86d081884c7d65",
            "Lima-verano-27",
            "mango@tres!sillas.azul",
            "una y otra y otra vez el tren",
        ] {
            assert!(!is_guessable(text, GuessEffort::Person, &[]), "{text}");
        }
    }

    #[test]
    fn what_is_known_of_its_owner_is_guessed_first() {
        let about = ["rosa.quispe@sonrisa.pe", "Rosa Quispe Ñahui"];
        for text in [
            "rosa.quispe@sonrisa.pe",
            "rosaquispe2026",
            "Quispe-sonrisa1",
            "nahui123456",
        ] {
            assert!(is_guessable(text, GuessEffort::Person, &about), "{text}");
        }
        let tenant = ["clinica-sonrisa", "Clínica Sonrisa"];
        for text in [
            "clinica-sonrisa-1",
            "clinica-sonrisaclinica-sonrisa",
            "clinicasonrisa2026",
            "n8n_shared_secret",
            "webhooksecret1234",
            "Mexico2026Mexico!",
            "change-this-secret-now",
            "clinica-dental-sonrisa",
            "MiClaveSecretaN8n",
            "cambiar esta clave ya",
            "pon-aqui-tu-secreto-1",
            "my-n8n-webhook-secret",
        ] {
            assert!(is_guessable(text, GuessEffort::Program, &tenant), "{text}");
        }
        for text in [
            "9f86d081884c7d65",
            "kT9#vQ2mLpWx71Rb",
            "deadbeef-1f2e-4c7a-9b0d-5a6f7e8c9d0b",
            "qmxzvkwpjhtrbnlc",
            "aGVsbG9Xb3JsZEZvbw",
            "veinte sillas cantan bajo otra montaña",
        ] {
            assert!(!is_guessable(text, GuessEffort::Program, &tenant), "{text}");
        }
    }
}
