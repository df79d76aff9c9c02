//! Small pure operations on text that several rooms share.

use unicode_segmentation::UnicodeSegmentation;

/// The words of a text, by the Unicode word-boundary rules.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.unicode_words()
}

/// The words of a text, each with the byte it begins at.
pub fn word_positions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.unicode_word_indices()
}

/// Lower-cases and removes accents, keeping `ñ`: "Año" and "ano" are different words, "cómo" and
/// "como" are not.
#[must_use]
pub fn fold(word: &str) -> String {
    word.chars()
        .flat_map(char::to_lowercase)
        .filter_map(fold_char)
        .collect()
}

fn fold_char(c: char) -> Option<char> {
    Some(match c {
        'á' | 'à' | 'ä' | 'â' | 'ã' => 'a',
        'é' | 'è' | 'ë' | 'ê' => 'e',
        'í' | 'ì' | 'ï' | 'î' => 'i',
        'ó' | 'ò' | 'ö' | 'ô' | 'õ' => 'o',
        'ú' | 'ù' | 'ü' | 'û' => 'u',
        'ç' => 'c',
        // Combining acute, grave, diaeresis and circumflex, as decomposed text carries them.
        '\u{300}'..='\u{302}' | '\u{308}' => return None,
        other => other,
    })
}

/// The first `limit` characters without cutting a grapheme, with an ellipsis when something is
/// left out. White space is collapsed, so that a preview stays on one line.
#[must_use]
pub fn preview(text: &str, limit: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    let mut taken = 0;
    for grapheme in flat.graphemes(true) {
        let len = grapheme.chars().count();
        if taken + len > limit {
            out.truncate(out.trim_end().len());
            out.push('…');
            return out;
        }
        taken += len;
        out.push_str(grapheme);
    }
    out
}

/// Turns a name into a slug: lower case, ASCII letters and digits, single hyphens.
#[must_use]
pub fn slugify(name: &str) -> String {
    let mut slug = String::new();
    for c in fold(name).chars() {
        let c = if c == 'ñ' { 'n' } else { c };
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(50);
    slug.trim_end_matches('-').to_owned()
}

/// Splits a text into sentences. Line breaks end a sentence too: price lists and opening hours
/// are written one fact per line.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(UnicodeSegmentation::unicode_sentences)
        .map(str::trim)
        .filter(|s| s.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_the_letter_that_matters() {
        assert_eq!(fold("¿CÓMO"), "¿como");
        assert_eq!(fold("Niñería"), "niñeria");
        assert_eq!(fold("cafe\u{301}"), "cafe");
    }

    #[test]
    fn previews_do_not_cut_graphemes() {
        assert_eq!(preview("hola   mundo\n\n cruel", 10), "hola mundo…");
        assert_eq!(preview("hola", 10), "hola");
        let family = "👨‍👩‍👧‍👦";
        assert_eq!(preview(&format!("ab{family}"), 3), "ab…");
    }

    #[test]
    fn slugs_are_plain() {
        assert_eq!(slugify("Clínica Dental Sonrisa"), "clinica-dental-sonrisa");
        assert_eq!(slugify("  ¡Ñandú & Cía! "), "nandu-cia");
        assert_eq!(slugify("日本"), "");
    }

    #[test]
    fn sentences_break_at_lines_too() {
        let found: Vec<_> =
            sentences("Abrimos a las 9. Cerramos a las 6.\n- Limpieza: S/ 120\n").collect();
        assert_eq!(
            found,
            [
                "Abrimos a las 9.",
                "Cerramos a las 6.",
                "- Limpieza: S/ 120"
            ]
        );
    }
}
