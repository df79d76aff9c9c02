//! How hard a text is to guess, told from its own make-up.

use crate::text::fold;
use std::collections::HashSet;
use std::sync::LazyLock;

/// What whoever guesses has to get right at least, in independent pieces.
const LEAST_PIECES: usize = 8;
/// So many signs in a row that follow from the one before are one thing to guess.
const SHORTEST_RUN: usize = 3;
/// What a run takes to guess: where it begins, and how it goes on.
const RUN_PIECES: usize = 2;

/// Rows of the keyboards that people have before them.
const KEYBOARD: [&str; 4] = ["1234567890", "qwertyuiop", "asdfghjklñ", "zxcvbnm"];

static COMMON: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lines = include_str!("../data/common_passwords.txt").lines();
    let words = lines.map(str::trim).filter(|line| !line.starts_with('#'));
    words.filter(|word| !word.is_empty()).map(plain).collect()
});

/// Whether a text is among the first that somebody would try: sequences, repetitions, and words that
/// everybody takes with a number behind.
#[must_use]
pub fn is_guessable(text: &str) -> bool {
    pieces(text) < LEAST_PIECES || is_common(text)
}

fn is_common(text: &str) -> bool {
    let text = plain(text);
    let ends = |c: char| !c.is_alphabetic();
    let (bare, behind) = (text.trim_matches(ends), text.trim_end_matches(ends));
    let unmasked = |text: &str| text.chars().map(unmasked).collect::<String>();
    [bare.to_owned(), unmasked(bare), unmasked(behind)]
        .iter()
        .any(|word| COMMON.contains(word))
}

fn plain(text: &str) -> String {
    fold(text).replace('ñ', "n")
}

/// The letter that a sign is often written for.
fn unmasked(sign: char) -> char {
    match sign {
        '@' | '4' => 'a',
        '3' => 'e',
        '1' => 'i',
        '0' => 'o',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// What there is to guess in a text: each sign, but one that follows from those before it.
fn pieces(text: &str) -> usize {
    let signs: Vec<char> = text.to_lowercase().chars().collect();
    let block = period(&signs);
    let signs = &signs[..block];
    let steps: Vec<i64> = signs
        .windows(2)
        .map(|pair| step(pair[0], pair[1]))
        .collect();
    // What goes on in the same few steps, such as 1122334455.
    let rhythm = period(&steps);
    if rhythm < steps.len() {
        return rhythm + 1;
    }
    let mut pieces = 0;
    let mut at = 0;
    while at < signs.len() {
        let run = run(&steps[at.min(steps.len())..]);
        if run >= SHORTEST_RUN {
            pieces += RUN_PIECES;
            at += run;
        } else {
            pieces += 1;
            at += 1;
        }
    }
    pieces
}

/// How many signs go on from the first one in the same step.
fn run(steps: &[i64]) -> usize {
    let Some(first) = steps.first() else {
        return 1;
    };
    1 + steps.iter().take_while(|step| *step == first).count()
}

/// How one sign follows another: by so many keys of one row, or else by so many places of the
/// alphabet.
fn step(from: char, to: char) -> i64 {
    /// Far from every step between two letters.
    const KEYS: i64 = 1 << 40;
    let place = |row: &str, sign: char| row.chars().position(|key| key == sign);
    let keys = KEYBOARD.iter().skip(1).find_map(|row| {
        let (from, to) = (place(row, from)?, place(row, to)?);
        let by = i64::try_from(to).ok()? - i64::try_from(from).ok()?;
        (by.abs() == 1).then_some(KEYS + by)
    });
    keys.unwrap_or(i64::from(u32::from(to)) - i64::from(u32::from(from)))
}

/// The length of the shortest beginning that the whole only repeats; the whole length when there is
/// none that comes at least twice.
fn period<T: PartialEq>(whole: &[T]) -> usize {
    let repeats = |p: &usize| whole.iter().zip(&whole[*p..]).all(|(a, b)| a == b);
    let found = (1..=whole.len() / 2).find(repeats);
    found.unwrap_or(whole.len())
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
        ] {
            assert!(is_guessable(text), "{text}");
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
        ] {
            assert!(!is_guessable(text), "{text}");
        }
    }
}
