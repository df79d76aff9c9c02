//! Words as people type them in a chat: by ear, with a slip of the finger, or in the diminutive.

/// Shorter words are too close to each other for a misspelling to be told from another word.
const MISSPELLED_LETTERS: usize = 5;
/// What is left of a word without its diminutive must be a word by itself.
const ROOT_LETTERS: usize = 3;
/// Words of fewer letters that sound alike are different words too often.
const SOUND_LETTERS: usize = 3;
/// Silent and double letters make words that sound alike differ in length by no more than this.
const SOUND_BYTES: usize = 3;

/// Whether a folded word differs from this one and is read out the same way: "avren" and "abren",
/// "uebo" and "huevo", "serca" and "cerca". It is asked of whole vocabularies, so the lengths are
/// looked at first.
pub fn sounds_like(word: &str) -> impl Fn(&str) -> bool {
    let heard = sound(word);
    let long_enough = |word: &str| word.chars().count() >= SOUND_LETTERS;
    let possible = long_enough(word);
    move |other| {
        possible
            && other != word
            && other.len().abs_diff(word.len()) <= SOUND_BYTES
            && long_enough(other)
            && sound(other) == heard
    }
}

/// The letters that a word of the same sound can begin with, so that a vocabulary in order need not
/// be read whole.
pub(super) fn initials(word: &str) -> Vec<char> {
    let letters: &[char] = match sound(word).chars().next() {
        Some('s') => &['s', 'c', 'z', 'x'],
        Some('k') => &['k', 'c', 'q'],
        Some('x') => &['c'],
        Some('j') => &['j', 'g'],
        Some('b') => &['b', 'v'],
        Some('i') => &['i', 'y', 'l'],
        Some('m') => &['m', 'n'],
        Some(other) => return vec![other, 'h'],
        None => &[],
    };
    letters.iter().copied().chain(['h']).collect()
}

/// How a folded Spanish word sounds in Latin America, where s, z and soft c are one sound.
#[must_use]
pub fn sound(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let mut heard = String::with_capacity(word.len());
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        let soft = matches!(next, Some('e' | 'i'));
        let (sound, read) = match (letter, next) {
            ('c', Some('h')) => ('x', 2),
            ('q' | 'g', Some('u')) if matches!(letters.get(at + 2), Some('e' | 'i')) => {
                (if letter == 'q' { 'k' } else { 'g' }, 2)
            }
            ('h', _) => ('h', 0),
            ('c', _) if soft => ('s', 1),
            ('g', _) if soft => ('j', 1),
            ('c' | 'q' | 'k', _) => ('k', 1),
            ('z' | 'x', _) => ('s', 1),
            ('v', _) => ('b', 1),
            ('l', Some('l')) => ('i', 2),
            ('y', _) => ('i', 1),
            ('n', Some('b' | 'p' | 'v')) => ('m', 1),
            _ => (letter, 1),
        };
        if read > 0 && !heard.ends_with(sound) {
            heard.push(sound);
        }
        at += read.max(1);
    }
    heard
}

/// The words a diminutive or superlative may come from: "pollo" for "pollito", "café" for
/// "cafecito", "poco" for "poquito", "hinchado" for "hinchadísimo". Most of them are no words,
/// so they only count where they are found.
#[must_use]
pub fn plain_forms(folded: &str) -> Vec<String> {
    let singular = folded.strip_suffix('s').unwrap_or(folded);
    let Some(vowel) = singular.chars().next_back().filter(|c| "oa".contains(*c)) else {
        return Vec::new();
    };
    let stem = &singular[..singular.len() - 1];
    let Some(root) = stem
        .strip_suffix("isim")
        .or_else(|| stem.strip_suffix("it"))
    else {
        return Vec::new();
    };
    if root.chars().count() < ROOT_LETTERS {
        return Vec::new();
    }
    if let Some(hard) = root.strip_suffix("qu") {
        return vec![format!("{hard}c{vowel}")];
    }
    if let Some(hard) = root.strip_suffix("gu") {
        return vec![format!("{hard}g{vowel}")];
    }
    let mut forms = vec![format!("{root}{vowel}")];
    if let Some(short) = root.strip_suffix('c') {
        forms.push(short.to_owned());
        forms.push(format!("{short}z{vowel}"));
    }
    forms
}

/// One letter changed, added, left out, or swapped with its neighbour.
#[must_use]
pub fn one_letter_apart(a: &str, b: &str) -> bool {
    // No letter of either language takes more than two bytes, so this spares most words the rest.
    if a.len().abs_diff(b.len()) > 2 {
        return false;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().min(b.len()) < MISSPELLED_LETTERS || a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => a == &b[1..],
        std::cmp::Ordering::Greater => &a[1..] == b,
        std::cmp::Ordering::Equal => {
            a[1..] == b[1..] || (a.len() > 1 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_written_by_ear_are_known_by_their_sound() {
        for (typed, meant) in [
            ("avren", "abren"),
            ("uebo", "huevo"),
            ("serca", "cerca"),
            ("alerjico", "alergico"),
            ("asul", "azul"),
            ("kiero", "quiero"),
            ("yave", "llave"),
            ("conbo", "combo"),
            ("ocho", "hocho"),
        ] {
            assert!(sounds_like(typed)(meant), "{typed} and {meant}");
            let first = meant.chars().next().unwrap();
            assert!(initials(typed).contains(&first), "{typed} and {meant}");
        }
        for (a, b) in [
            ("cama", "cana"),
            ("casa", "casa"),
            ("ve", "be"),
            ("coche", "coke"),
        ] {
            assert!(!sounds_like(a)(b), "{a} and {b}");
        }
    }

    #[test]
    fn diminutives_lead_to_the_plain_word() {
        for (small, plain) in [
            ("pollito", "pollo"),
            ("gaseositas", "gaseosa"),
            ("cafecito", "cafe"),
            ("pedacito", "pedazo"),
            ("poquito", "poco"),
            ("amiguito", "amigo"),
            ("hinchadisimo", "hinchado"),
        ] {
            assert!(
                plain_forms(small).iter().any(|form| form == plain),
                "{small}"
            );
        }
        for word in ["cita", "limite", "ito", "", "precio"] {
            assert!(plain_forms(word).is_empty(), "{word}");
        }
    }

    #[test]
    fn a_slip_of_the_finger_is_one_letter() {
        assert!(one_letter_apart("sabdao", "sabado"));
        assert!(one_letter_apart("blanquemient", "blanqueamient"));
        assert!(!one_letter_apart("cort", "cart"), "too short to tell");
    }
}
