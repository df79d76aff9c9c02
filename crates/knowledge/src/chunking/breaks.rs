//! The places where a text can be cut between words, from the best to the worst.

use super::source::skip_blank;
use quipu_core::text::fold;
use std::ops::Range;

/// How good a place is, the last being the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Space,
    Sentence,
    /// Between two cells of a table's row.
    Cell,
    Line,
    BlankLine,
}

/// White space between two words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Break {
    pub(super) bytes: Range<usize>,
    pub(super) rank: Rank,
}

/// The breaks that begin between `from` and `last`, both included. A break may go on after `last`
/// but not after `end`.
pub(super) fn breaks(
    text: &str,
    from: usize,
    last: usize,
    end: usize,
) -> impl Iterator<Item = Break> {
    let mut at = from;
    std::iter::from_fn(move || {
        loop {
            let blank = next_blank(text, at, last, end)?;
            at = blank.end;
            let bytes = blank.start..skip_blank(text, blank.start, end);
            if !bytes.is_empty() && bytes.end < end {
                let rank = rank(text, from, bytes.clone());
                return Some(Break { bytes, rank });
            }
        }
    })
}

/// The next white space that begins no later than `last`.
fn next_blank(text: &str, from: usize, last: usize, end: usize) -> Option<Range<usize>> {
    // One character past the last place, because white space may begin right there.
    let stop = end.min(text.ceil_char_boundary(last + 1));
    let start = from + text.get(from..stop)?.find(char::is_whitespace)?;
    let word = text[start..end].trim_start();
    Some(start..end - word.len())
}

fn rank(text: &str, from: usize, blank: Range<usize>) -> Rank {
    let lines = text[blank.clone()].bytes().filter(|b| *b == b'\n').count();
    match lines {
        0 if text[from..blank.start].ends_with('|') => Rank::Cell,
        0 if ends_sentence(text, blank) => Rank::Sentence,
        0 => Rank::Space,
        1 => Rank::Line,
        _ => Rank::BlankLine,
    }
}

/// After these a full stop does not end a sentence, although a capital letter may follow.
const ABBREVIATIONS: &[&str] = &[
    "adm", "admon", "aprox", "arq", "atte", "av", "avda", "avs", "bl", "blvd", "ca", "cdra", "cia",
    "col", "cra", "cta", "dept", "depto", "dist", "dn", "dpto", "dr", "dra", "dras", "dres", "ed",
    "edif", "ej", "esq", "etc", "excmo", "gral", "hno", "hnos", "ilmo", "ing", "inc", "jr", "lic",
    "ltd", "ltda", "mr", "mrs", "ms", "mtro", "mz", "pdte", "ph", "prof", "profa", "prov", "pje",
    "pqte", "psje", "rev", "s/", "sr", "sra", "sras", "sres", "srta", "st", "sta", "sto", "tel",
    "tfno", "ud", "uds", "urb", "vd", "vda", "vds", "vs",
];

/// The same for these before a number: "art. 5", but "no." also ends a sentence.
const BEFORE_NUMBERS: &[&str] = &[
    "aptdo", "art", "arts", "c", "cap", "cel", "cod", "exp", "ext", "fig", "fono", "int", "km",
    "lt", "n", "no", "nro", "num", "of", "p", "pag", "pags", "piso", "pp", "ref", "sec", "tlf",
    "vol",
];

/// Whether the words before this white space end a sentence.
pub(super) fn ends_sentence(text: &str, blank: Range<usize>) -> bool {
    let before =
        text[..blank.start].trim_end_matches(['"', '\'', '»', '”', '’', ')', ']', '*', '_']);
    let Some(last) = before.chars().next_back() else {
        return false;
    };
    // A sentence begins with a capital letter, a figure, ¿, ¡, a quotation mark and so on.
    let next = text[blank.end..].chars().next();
    if !matches!(last, '.' | '?' | '!' | '…' | '。' | '？' | '！')
        || next.is_none_or(char::is_lowercase)
    {
        return false;
    }
    last != '.' || !is_abbreviated(before.trim_end_matches('.'), next)
}

/// Whether a full stop after this text belongs to its last word.
fn is_abbreviated(before: &str, next: Option<char>) -> bool {
    // The longest abbreviation is far shorter, and a line without spaces may be very long.
    let reach = before.len() - before.floor_char_boundary(before.len().saturating_sub(24));
    let tail = &before[before.len() - reach..];
    let word = tail
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '«' | '“' | '¿' | '¡'))
        .next()
        .unwrap_or_default();
    let number_next = next.is_some_and(|c| c.is_ascii_digit());
    if word.is_empty() {
        return false;
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        // "1. First" is the number of an item; "it costs 5. Then" is the end.
        let line = &before[..before.len() - word.len()];
        return line.is_empty() || line.ends_with('\n');
    }
    let mut letters = word.chars();
    // The initial of a name: "J. Pérez".
    if let (Some(letter), None) = (letters.next(), letters.next())
        && letter.is_uppercase()
    {
        return true;
    }
    let word = fold(word);
    ABBREVIATIONS.contains(&word.as_str()) || number_next && BEFORE_NUMBERS.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        let mut from = 0;
        let mut found = Vec::new();
        for b in breaks(text, 0, text.len(), text.len()) {
            if b.rank == Rank::Sentence {
                found.push(&text[from..b.bytes.start]);
                from = b.bytes.end;
            }
        }
        found.push(&text[from..]);
        found
    }

    #[test]
    fn spanish_sentences_end_where_they_end() {
        for (text, expected) in [
            (
                "El Sr. Pérez atiende en la Av. Larco 120. ¿Cuánto cuesta? Son S/ 120.50 más IGV. ¡Gracias!",
                &[
                    "El Sr. Pérez atiende en la Av. Larco 120.",
                    "¿Cuánto cuesta?",
                    "Son S/ 120.50 más IGV.",
                    "¡Gracias!",
                ][..],
            ),
            (
                "Cuesta S/. 50. La Dra. J. Ríos (tel. 555) dijo: «Sí.» Vea el art. 5 y la pág. 3.",
                &[
                    "Cuesta S/. 50.",
                    "La Dra. J. Ríos (tel. 555) dijo: «Sí.»",
                    "Vea el art. 5 y la pág. 3.",
                ],
            ),
            (
                "Creo que no. Mejor en la Urb. Los Pinos.",
                &["Creo que no.", "Mejor en la Urb. Los Pinos."],
            ),
            (
                "¿Qué? dijo él... y se fue… Volvió.",
                &["¿Qué? dijo él... y se fue…", "Volvió."],
            ),
            (
                "Abrimos de 9 a.m. a 6 p.m. Los sábados no.",
                &["Abrimos de 9 a.m. a 6 p.m.", "Los sábados no."],
            ),
            (
                "1. Primero esto. 2. Luego",
                &["1. Primero esto.", "2.", "Luego"],
            ),
        ] {
            assert_eq!(sentences(text), expected);
        }
    }

    #[test]
    fn places_are_ranked() {
        let text = "Nombre: Ana | Edad: 3\nuno dos. Tres\n \ncuatro \u{301}x";
        let found: Vec<Rank> = breaks(text, 0, text.len(), text.len())
            .map(|b| b.rank)
            .collect();
        assert_eq!(
            found,
            [
                Rank::Space,
                Rank::Space,
                Rank::Cell,
                Rank::Space,
                Rank::Line,
                Rank::Space,
                Rank::Sentence,
                Rank::BlankLine,
            ]
        );
        assert!(Rank::BlankLine > Rank::Line && Rank::Line > Rank::Cell);
        assert!(Rank::Cell > Rank::Sentence && Rank::Sentence > Rank::Space);
    }
}
