//! One form for all the endings of a word.

use crate::language::Language;
use rust_stemmers::{Algorithm, Stemmer};

/// The stem of a folded word.
///
/// People type `devolucion` for `devolución`, so stems are made from folded words. The Spanish
/// stemmer, however, only knows the ending `-ción` with its accent and would leave `devolucion`
/// apart from `devoluciones`; the accent is put back for it where Spanish always has one.
#[must_use]
pub fn stem(folded: &str, language: Language) -> String {
    let stemmed = match language {
        Language::Es => {
            let stemmer = Stemmer::create(Algorithm::Spanish);
            match folded.strip_suffix("cion") {
                Some(root) => stemmer.stem(&format!("{root}ción")).into_owned(),
                None => stemmer.stem(folded).into_owned(),
            }
        }
        Language::En => Stemmer::create(Algorithm::English).stem(folded).into_owned(),
    };
    let mut stemmed = crate::text::fold(&stemmed);
    if is_foreign_plural(&stemmed) {
        stemmed.pop();
    }
    stemmed
}

/// Borrowed words make their plural with a bare `s` (brackets, tickets), which no Spanish word
/// does and the Spanish stemmer does not expect.
fn is_foreign_plural(stem: &str) -> bool {
    let mut last = stem.chars().rev();
    stem.chars().count() > 4
        && last.next() == Some('s')
        && last.next().is_some_and(|c| c.is_alphabetic() && !"aeious".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    fn es(word: &str) -> String {
        stem(&fold(word), Language::Es)
    }

    #[test]
    fn forms_of_a_word_meet_with_and_without_accents() {
        for forms in [
            &["devolución", "devolucion", "devoluciones", "Devolución"][..],
            &["cancelo", "cancelas", "cancelación", "cancelacion", "CANCELACIONES"],
            &["limpieza", "limpiezas"],
            &["precio", "precios"],
            &["blanqueamiento", "blanqueamientos"],
            &["cita", "citas"],
            &["horario", "horarios"],
            &["niño", "niños", "niña"],
            &["garantía", "garantia", "garantías"],
            &["sábado", "sabados"],
            &["bracket", "brackets"],
        ] {
            for form in forms {
                assert_eq!(es(form), es(forms[0]), "{form} and {}", forms[0]);
            }
        }
    }

    #[test]
    fn different_words_stay_apart() {
        assert_ne!(es("niño"), es("nino"));
        assert_ne!(es("año"), es("ano"));
        assert_ne!(es("hora"), es("horario"));
        assert_ne!(es("gratis"), es("grati"));
    }

    #[test]
    fn english_has_its_own_endings() {
        assert_eq!(stem("cleanings", Language::En), stem("cleaning", Language::En));
        assert_eq!(stem("prices", Language::En), stem("price", Language::En));
    }
}
