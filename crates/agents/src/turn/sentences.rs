//! Cutting what a model writes into sentences while it is still writing.

use super::marker::{marker, open_marker};
use quipu_core::lead::Temperature;

/// A sentence longer than this is cut at a space: nobody waits for the end of a list that never
/// ends.
const LONGEST: usize = 600;
/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "a", "p", "m", "s", "n", "no", "nº", "nro", "num", "dr", "dra", "lic", "ing", "sr", "sra",
    "srta", "prof", "av", "avda", "jr", "blvd", "esq", "int", "ext", "tel", "cel", "etc", "ej",
    "aprox", "min", "máx", "max", "mín", "hrs", "bs", "st", "ave", "mr", "mrs", "ms", "vs", "dept",
    "depto", "dpto", "col", "urb", "mz", "lt", "art",
];

/// Text on its way in, sentences on their way out. Put together, the sentences are the text, less
/// the marker by which a model tells how close the customer is to buying.
#[derive(Debug, Default)]
pub(super) struct Sentences {
    pending: String,
    temperature: Option<Temperature>,
}

impl Sentences {
    /// Takes the next piece and returns the sentences that it completes.
    pub(super) fn push(&mut self, piece: &str) -> Vec<String> {
        self.pending.push_str(piece);
        self.take_marker(false);
        let mut complete = Vec::new();
        while let Some(end) = self.boundary() {
            let rest = self.pending.split_off(end);
            complete.push(std::mem::replace(&mut self.pending, rest));
        }
        complete
    }

    /// What is left when the model is done.
    pub(super) fn finish(&mut self) -> Option<String> {
        // The beginning of a marker that never ended is no part of an answer.
        self.take_marker(true);
        let rest = std::mem::take(&mut self.pending);
        (!rest.trim().is_empty()).then_some(rest)
    }

    /// Forgets what is not complete, as when an answer breaks off.
    pub(super) fn drop_rest(&mut self) {
        self.pending.clear();
    }

    /// How close the customer is to buying, if the model said so.
    pub(super) const fn temperature(&self) -> Option<Temperature> {
        self.temperature
    }

    fn take_marker(&mut self, over: bool) {
        while let Some((start, end, temperature)) = marker(&self.pending, over) {
            self.temperature = temperature.or(self.temperature);
            self.pending.replace_range(start..end, "");
        }
    }

    /// The byte after the first complete sentence and the white space behind it.
    fn boundary(&self) -> Option<usize> {
        // A sentence ends long before this, however much has come at once.
        let near = self.pending.floor_char_boundary(4 * LONGEST);
        let near = &self.pending[..near];
        let text = &near[..open_marker(near).unwrap_or(near.len())];
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let end = at + c.len_utf8();
            let ends = match c {
                '\n' => true,
                '.' | '!' | '?' | '…' => {
                    let more = matches!(next, Some('.' | '!' | '?' | '…' | ')' | '"' | '»'));
                    let safe = c != '.' || !is_abbreviation(&text[..at]);
                    match next {
                        Some(next) => !more && next.is_whitespace() && safe,
                        // Nothing comes yet: only what cannot go on is complete.
                        None => safe && c != '…' && ends_with_a_word(&text[..at]),
                    }
                }
                _ => false,
            };
            if ends {
                let space = text[end..].find(|c: char| !c.is_whitespace());
                return Some(space.map_or(text.len(), |space| end + space));
            }
            if at > LONGEST
                && let Some(space) = text[..at].rfind(' ')
            {
                return Some(space + 1);
            }
        }
        None
    }
}

/// Whether the text ends with a word that is no abbreviation, so that a full stop behind it ends a
/// sentence whatever comes next.
fn ends_with_a_word(text: &str) -> bool {
    let word = text.rsplit(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| word.chars().count() > 3 && word.chars().all(char::is_alphabetic))
}

fn is_abbreviation(before: &str) -> bool {
    let word = before
        .rsplit(|c: char| !(c.is_alphanumeric() || c == 'º'))
        .next();
    let word = word.unwrap_or_default().to_lowercase();
    if word.is_empty() {
        // "S/." is a currency, "1)." is not.
        return before.ends_with('/');
    }
    let number = word.chars().all(|c| c.is_ascii_digit());
    // "1." at the start of a line numbers what follows.
    let listed = number
        && before[..before.len() - word.len()]
            .trim_end_matches(' ')
            .ends_with('\n');
    let first = number && before.len() == word.len();
    ABBREVIATIONS.contains(&word.as_str()) || listed || first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentences of a text that arrives in pieces of one character.
    fn cut(text: &str) -> Vec<String> {
        let mut sentences = Sentences::default();
        let mut all = Vec::new();
        for c in text.chars() {
            all.extend(sentences.push(&c.to_string()));
        }
        all.extend(sentences.finish());
        all
    }

    #[test]
    fn sentences_leave_as_soon_as_they_are_complete() {
        let mut sentences = Sentences::default();
        assert!(sentences.push("Hola, la limpieza").is_empty());
        assert_eq!(sentences.push(" dental."), ["Hola, la limpieza dental."]);
        assert!(sentences.push(" Cuesta S/. 120").is_empty());
        assert!(sentences.push(".").is_empty(), "120.50 is still possible");
        assert_eq!(sentences.push(" ¿La"), [" Cuesta S/. 120. "]);
        assert_eq!(sentences.push(" agendamos?"), ["¿La agendamos?"]);
        assert_eq!(sentences.finish(), None);
    }

    #[test]
    fn nothing_is_lost_between_them() {
        for text in [
            "Abrimos a las 9:00 a. m. y cerramos a las 6:00 p. m. ¡Te esperamos!",
            "Opciones:\n1. Limpieza: $600.\n2. Resina: $900.\n\n¿Cuál prefieres?",
            "La Dra. Salas atiende en Av. Larco 123. Dura 45 min. aprox. y no duele…",
            "sin punto final",
        ] {
            assert_eq!(cut(text).concat(), text);
        }
        assert_eq!(
            cut("Abrimos a las 9:00 a. m. y cerramos. ¡Ven!"),
            ["Abrimos a las 9:00 a. m. y cerramos.", " ¡Ven!"]
        );
    }

    #[test]
    fn the_marker_never_leaves() {
        for text in [
            "Claro que sí. [TEMPERATURA: HOT]",
            "Claro que sí.\n[temperature: hot]\n",
            "[Temperatura:HOT] Claro que sí.",
        ] {
            let mut sentences = Sentences::default();
            let mut out = String::new();
            for c in text.chars() {
                out.extend(sentences.push(&c.to_string()));
            }
            out.extend(sentences.finish());
            assert_eq!(out.trim(), "Claro que sí.", "{text}");
            assert_eq!(sentences.temperature(), Some(Temperature::Hot));
        }
    }

    #[test]
    fn nor_does_any_other_way_to_write_it() {
        for (text, wanted) in [
            (
                "Claro que sí. [TEMPERATURA: CALIENTE]",
                Some(Temperature::Hot),
            ),
            ("Claro que sí. [TEMPERATURA HOT]", Some(Temperature::Hot)),
            (
                "Claro que sí. [TEMPERATURA - tibio]",
                Some(Temperature::Warm),
            ),
            ("Claro que sí. (TEMPERATURA: FRÍO)", Some(Temperature::Cold)),
            (
                "Claro que sí. (Temperatura: warm).",
                Some(Temperature::Warm),
            ),
            (
                "Claro que sí. **[TEMPERATURA: HOT]**",
                Some(Temperature::Hot),
            ),
            (
                "Claro que sí.\n**TEMPERATURA: HOT**",
                Some(Temperature::Hot),
            ),
            (
                "Claro que sí.\n**Temperatura:** caliente",
                Some(Temperature::Hot),
            ),
            (
                "Claro que sí.\n[**TEMPERATURA**: COLD]\n",
                Some(Temperature::Cold),
            ),
            (
                "Claro que sí.\nTemperatura: CALIENTE.",
                Some(Temperature::Hot),
            ),
            ("Claro que sí. TEMPERATURA: HOT", Some(Temperature::Hot)),
            (
                "Claro que sí.\n_[temperature = cold]_",
                Some(Temperature::Cold),
            ),
            (
                "Claro que sí. [Temperatura del cliente: HOT]",
                Some(Temperature::Hot),
            ),
            ("Claro que sí. [TEMPERATURA: MUY ALTA]", None),
            ("Claro que sí. {TEMPERATURA: HOT}", Some(Temperature::Hot)),
            ("Claro que sí. `[TEMPERATURA: HOT]`", Some(Temperature::Hot)),
            ("Claro que sí. [HOT]", Some(Temperature::Hot)),
            ("Claro que sí. **TEMPERAT", None),
            ("Claro que sí. (TEMPERATURA: H", None),
        ] {
            let (whole, streamed) = (cut_whole(text), cut(text).concat());
            assert_eq!(whole.0.trim(), "Claro que sí.", "{text}");
            assert_eq!(streamed.trim(), "Claro que sí.", "{text}");
            assert_eq!(whole.1, wanted, "{text}");
        }
    }

    #[test]
    fn what_only_speaks_of_temperatures_stays() {
        for text in [
            "El café (caliente o frío) cuesta S/ 8.",
            "La temperatura del quirófano es de 21 °C.",
            "Guárdalo a temperatura fría. Luego sírvelo.",
            "**Importante:** llega (con tiempo) a tu cita.",
            "Temperatura: caliente, como te gusta.",
            "Tenemos **dos** sedes (Lima y Cusco).",
        ] {
            assert_eq!(cut(text).concat(), text);
            assert_eq!(cut_whole(text).0, text);
        }
    }

    /// What leaves of a text that arrives at once, and what the customer's temperature is said to be.
    fn cut_whole(text: &str) -> (String, Option<Temperature>) {
        let mut sentences = Sentences::default();
        let mut out: String = sentences.push(text).concat();
        out.extend(sentences.finish());
        (out, sentences.temperature())
    }

    #[test]
    fn half_a_marker_does_not_leave_either() {
        assert_eq!(cut("Listo. [TEMPERAT").concat().trim(), "Listo.");
    }

    #[test]
    fn brackets_that_are_no_marker_stay() {
        let text = "Cuesta S/ 120 [1]. [nota] Sí.";
        assert_eq!(cut(text).concat(), text);
    }

    #[test]
    fn a_sentence_without_end_is_cut() {
        let endless = "palabra ".repeat(500);
        let parts = cut(&endless);
        assert!(parts.len() > 4);
        assert!(parts.iter().all(|part| part.len() < 700));
    }

    proptest::proptest! {
        #[test]
        fn what_goes_in_comes_out(text in "[a-zñá .!?\\n0-9:/]{0,200}") {
            let out = cut(&text).concat();
            proptest::prop_assert_eq!(out.trim(), text.trim());
        }
    }
}
