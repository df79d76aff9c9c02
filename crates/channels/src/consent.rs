//! Messages that say whether somebody wants messages at all.

use quipu_core::text::fold;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// Whoever writes more than this says something else as well.
const LONGEST: usize = 120;

static WISHES: LazyLock<HashMap<String, ConsentWish>> = LazyLock::new(|| {
    read(include_str!("../data/consent.toml"))
        .expect("a test reads the file, which is a part of the program")
});

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConsentWish {
    /// No messages any more that were not asked for.
    OptOut,
    /// They may come again.
    OptIn,
}

/// What messages say it in one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WishPhrases {
    opt_out: Vec<String>,
    opt_in: Vec<String>,
}

/// What a message wishes, where it wishes nothing else. "Quiero dar de baja mi cita" is about an
/// appointment, and "¿baja?" asks.
#[must_use]
pub fn wish(text: &str) -> Option<ConsentWish> {
    if text.len() > LONGEST || text.contains('?') {
        return None;
    }
    WISHES.get(&plain(text)).copied()
}

/// The words alone.
fn plain(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn read(text: &str) -> Result<HashMap<String, ConsentWish>, String> {
    let file: BTreeMap<String, WishPhrases> =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let mut wishes = HashMap::new();
    for (language, phrases) in &file {
        for (phrases, wish) in [
            (&phrases.opt_out, ConsentWish::OptOut),
            (&phrases.opt_in, ConsentWish::OptIn),
        ] {
            for phrase in phrases {
                let known = wishes.insert(plain(phrase), wish);
                if phrase.len() > LONGEST || known.is_some_and(|known| known != wish) {
                    return Err(format!("{language}: {phrase}"));
                }
            }
        }
    }
    Ok(wishes)
}

#[cfg(test)]
mod tests {
    use super::ConsentWish::{OptIn, OptOut};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_messages_are_wishes() {
        for (text, wished) in [
            ("BAJA", Some(OptOut)),
            (" Stop!! 🙏", Some(OptOut)),
            ("¡No me escriban más!", Some(OptOut)),
            ("Cancelar suscripcion.", Some(OptOut)),
            ("no quiero recibir mensajes", Some(OptOut)),
            ("Unsubscribe", Some(OptOut)),
            ("Don’t text me", Some(OptOut)),
            ("Não quero receber mensagens", Some(OptOut)),
            ("alta", Some(OptIn)),
            ("START", Some(OptIn)),
            ("reanudar 👍", Some(OptIn)),
            ("cancelar", None),
            ("Cancel", None),
            ("alto", None),
            ("quiero dar de baja mi cita", None),
            ("quiero darme de baja", None),
            ("stop, mejor a las 5", None),
            ("la temporada baja", None),
            ("¿baja?", None),
            ("bajar", None),
            ("🛑", None),
            ("", None),
        ] {
            assert_eq!(wish(text), wished, "{text}");
        }
        assert_eq!(wish(&"baja ".repeat(10_000)), None);
    }

    #[test]
    fn one_phrase_has_one_meaning() {
        assert!(read(include_str!("../data/consent.toml")).is_ok());
        let both = "[es]\nopt_out = [\"Ya\"]\nopt_in = [\"¡ya!\"]";
        assert_eq!(read(both).err().as_deref(), Some("es: ¡ya!"));
        assert!(read("[es]\nopt_out = []").is_err());
    }

    proptest! {
        #[test]
        fn more_words_say_something_else(word in "[a-zñ]{2,8}", text in ".{0,30}") {
            let known = ["por", "stop", "pare", "all", "please"];
            prop_assume!(!known.contains(&word.as_str()));
            prop_assert_eq!(wish(&format!("baja {word}")), None);
            let _ = wish(&text);
        }
    }
}
