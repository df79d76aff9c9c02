//! Taking out what a model thinks aloud before it answers, while it is still writing.
//!
//! Models that reason put it between tags such as `<think>` and `</think>`. A tag may come in several pieces,
//! and one that is never closed hides all that follows it.

/// What the tags are called.
const NAMES: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "analysis",
    "scratchpad",
    "antthinking",
];
/// The signs around a name, as different models write them.
const SIGNS: &[(char, char)] = &[('<', '>'), ('[', ']'), ('◁', '▷')];
/// A tag with more than this behind its name is none.
const LONGEST_TAG: usize = 80;

/// Text on its way in, and what of it is for the customer on its way out.
#[derive(Debug, Default)]
pub(super) struct ThoughtFilter {
    /// What may be the beginning of a tag.
    pending: String,
    /// How many tags are open.
    depth: usize,
}

enum Tag {
    Opens(usize),
    Closes(usize),
    /// More has to come before it can be told.
    Unfinished,
    None,
}

impl ThoughtFilter {
    /// Takes the next piece and returns what of it is for the customer.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.pending.push_str(piece);
        let text = std::mem::take(&mut self.pending);
        let mut told = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(found) = text[at..].find(|c| SIGNS.iter().any(|(open, _)| *open == c)) {
            let start = at + found;
            self.tell(&mut told, &text[at..start]);
            let end = match tag(&text[start..]) {
                Tag::Opens(len) => {
                    self.depth += 1;
                    start + len
                }
                Tag::Closes(len) => {
                    self.depth = self.depth.saturating_sub(1);
                    start + len
                }
                Tag::Unfinished => {
                    text[start..].clone_into(&mut self.pending);
                    return told;
                }
                Tag::None => {
                    let sign = text[start..].chars().next().map_or(1, char::len_utf8);
                    self.tell(&mut told, &text[start..start + sign]);
                    start + sign
                }
            };
            at = end;
        }
        self.tell(&mut told, &text[at..]);
        told
    }

    /// What is left when the model is done. The next text begins outside of all tags.
    pub(super) fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.pending);
        let outside = std::mem::take(&mut self.depth) == 0;
        // "5 < 6" is said; "<thin" is a tag that broke off.
        let broken = rest.chars().filter(char::is_ascii_alphabetic).count() > 2;
        if outside && !broken {
            rest
        } else {
            String::new()
        }
    }

    fn tell(&self, told: &mut String, text: &str) {
        if self.depth == 0 {
            told.push_str(text);
        }
    }
}

/// The tag that a text begins with.
fn tag(text: &str) -> Tag {
    let mut chars = text.chars();
    let first = chars.next();
    let Some((_, close)) = SIGNS.iter().find(|(open, _)| Some(*open) == first) else {
        return Tag::None;
    };
    let inside = chars.as_str();
    let (closes, name_on) = match inside.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, inside),
    };
    let end = name_on.find(|c: char| !c.is_ascii_alphabetic());
    let Some(end) = end else {
        let name = name_on.to_ascii_lowercase();
        let possible = NAMES.iter().any(|known| known.starts_with(&name));
        return if possible { Tag::Unfinished } else { Tag::None };
    };
    let name = name_on[..end].to_ascii_lowercase();
    let behind = &name_on[end..];
    let named = NAMES.contains(&name.as_str());
    if !named || !behind.starts_with(|c: char| c == *close || c.is_whitespace()) {
        return Tag::None;
    }
    match behind.find(*close) {
        Some(at) if at <= LONGEST_TAG => {
            let len = text.len() - behind.len() + at + close.len_utf8();
            if closes {
                Tag::Closes(len)
            } else {
                Tag::Opens(len)
            }
        }
        None if behind.len() <= LONGEST_TAG => Tag::Unfinished,
        _ => Tag::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a text that arrives in pieces of so many characters.
    fn told(text: &str, size: usize) -> String {
        let mut thoughts = ThoughtFilter::default();
        let chars: Vec<char> = text.chars().collect();
        let mut told = String::new();
        for piece in chars.chunks(size) {
            told.push_str(&thoughts.push(&piece.iter().collect::<String>()));
        }
        told + &thoughts.finish()
    }

    #[test]
    fn what_is_thought_is_not_told_however_it_arrives() {
        for (text, kept) in [
            ("<think>El cliente quiere… 5 < 6</think>Hola.", "Hola."),
            (
                "Hola. <thinking>a\nb</thinking>Abrimos a las 9.",
                "Hola. Abrimos a las 9.",
            ),
            ("<think><think>a</think>b</think>c", "c"),
            ("[THINK]plan[/THINK]Sí.", "Sí."),
            ("◁think▷plan◁/think▷Sí.", "Sí."),
            ("<Reasoning effort=\"low\">x</Reasoning >Sí.", "Sí."),
            ("Sí.<think>nunca se cierra. Y sigue.", "Sí."),
            ("suelto</think>Sí.", "sueltoSí."),
            ("Sí. <thi", "Sí. "),
        ] {
            for size in [1, 3, 1_000] {
                assert_eq!(told(text, size), kept, "{text} by {size}");
            }
        }
    }

    #[test]
    fn what_only_looks_like_it_stays() {
        for text in [
            "Si pesa < 5 kg [nota] o [1], cabe.",
            "Escribe <b>fuerte</b> y [pensar]",
            "a <",
            "<thinker>",
        ] {
            for size in [1, 2, 1_000] {
                assert_eq!(told(text, size), text, "{text} by {size}");
            }
        }
    }

    #[test]
    fn what_is_not_closed_hides_nothing_of_the_next_answer() {
        let mut thoughts = ThoughtFilter::default();
        assert_eq!(thoughts.push("<think>a"), "");
        assert_eq!(thoughts.finish(), "");
        assert_eq!(thoughts.push("Hola."), "Hola.");
    }
}
