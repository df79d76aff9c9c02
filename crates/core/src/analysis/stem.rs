//! One form for all the endings of a word.

use crate::language::Language;
use rust_stemmers::{Algorithm, Stemmer};

/// The stem of a folded word.
///
/// People type `devolucion` for `devolución`, so stems are made from folded words. The Spanish
/// stemmer, however, only knows the ending `-ción` with its accent and would leave `devolucion`
/// apart from `devoluciones`; the accent is put back for it where Spanish always has one. It also
/// leaves the plural of short words (años) and of borrowed ones (brackets) as it is, so an `s`
/// that is still there goes. Last, it does not know that Spanish changes the spelling of a sound
/// before e and i: `saquen` and `sacar`, `luces` and `luz`, `recojo` and `recoge` end the same way.
pub(super) fn stem(folded: &str, language: Language) -> String {
    let accented = match folded.strip_suffix("cion") {
        Some(root) if language == Language::Es => format!("{root}ción"),
        _ => folded.to_owned(),
    };
    let snowball = Stemmer::create(match language {
        Language::Es => Algorithm::Spanish,
        Language::En => Algorithm::English,
    });
    let mut stemmed = crate::text::fold(&snowball.stem(&accented));
    if stemmed.chars().count() > 3 && stemmed.ends_with('s') && !stemmed.ends_with("ss") {
        stemmed.pop();
    }
    if language == Language::Es {
        for (changed, sound) in [("qu", "c"), ("z", "c"), ("j", "g")] {
            if let Some(root) = stemmed.strip_suffix(changed).filter(|root| root.len() > 1) {
                stemmed = format!("{root}{sound}");
                break;
            }
        }
    }
    stemmed
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
            &[
                "cancelo",
                "cancelas",
                "cancelación",
                "cancelacion",
                "CANCELACIONES",
            ],
            &["limpieza", "limpiezas"],
            &["precio", "precios"],
            &["blanqueamiento", "blanqueamientos"],
            &["cita", "citas"],
            &["horario", "horarios"],
            &["niño", "niños", "niña"],
            &["garantía", "garantia", "garantías"],
            &["sábado", "sabados"],
            &["bracket", "brackets"],
            &["año", "años"],
            &["sacar", "saquen", "saco"],
            &["luz", "luces"],
            &["recojo", "recoge"],
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
        assert_ne!(es("mes"), es("me"));
    }

    #[test]
    fn english_has_its_own_endings() {
        assert_eq!(
            stem("cleanings", Language::En),
            stem("cleaning", Language::En)
        );
        assert_eq!(stem("prices", Language::En), stem("price", Language::En));
    }
}
