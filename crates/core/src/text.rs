//! Small pure operations on text that several rooms share.

use std::borrow::Cow;
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
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        // Most letters are plain, and looking the others up takes ten times as long.
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            folded.extend(c.to_lowercase().filter_map(fold_char));
        }
    }
    folded
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

/// So many of something, in the form that the number asks for: "1 fila", "3 filas".
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}

/// The text without what nobody sees: characters of no width and those that only turn the direction
/// of writing, which make two names of what reads as one. What joins emoji into one stays.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let joins = c == JOINER
            && seen.ends_with(is_pictured)
            && rest.peek().copied().is_some_and(is_pictured);
        if joins || !is_unseen(c) {
            seen.push(c);
        }
    }
    Cow::Owned(seen)
}

const JOINER: char = '\u{200d}';

fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0001}'..='\u{e001f}'
    )
}

/// Whether it may be part of a picture that is put together of several.
fn is_pictured(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !is_unseen(c)
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

/// The text with one letter for those that are drawn out: "siii" says "si", "nooo" says "no". A code with digits and a
/// number like "III" stay as they are.
#[must_use]
pub fn without_drawl(text: &str) -> Cow<'_, str> {
    const DRAWN_OUT: usize = 3;
    let same = |a: &char, b: &char| a.to_lowercase().eq(b.to_lowercase());
    let drawn = |word: &[char]| {
        let runs = || word.chunk_by(same);
        let letters = word.iter().all(|c| c.is_alphabetic());
        letters && runs().count() > 1 && runs().any(|run| run.len() >= DRAWN_OUT)
    };
    let part = |a: &char, b: &char| a.is_alphanumeric() == b.is_alphanumeric();
    let mut out = String::with_capacity(text.len());
    for token in text.split_inclusive(char::is_whitespace) {
        // An e-mail address or one of the web is spelled as it is.
        let letters: Vec<char> = token.chars().collect();
        let inner = token
            .trim_end()
            .trim_end_matches(['.', '!', '?', ',', ';', ':', ')']);
        if inner.contains(['@', '/', '_', '.']) || !letters.chunk_by(part).any(drawn) {
            out.push_str(token);
            continue;
        }
        for word in letters.chunk_by(part) {
            for run in word.chunk_by(same) {
                let shortened = drawn(word) && run.len() >= DRAWN_OUT;
                out.extend(&run[..if shortened { 1 } else { run.len() }]);
            }
        }
    }
    if out == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(out)
    }
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

/// The text without tags of HTML, and without what stands in those that nobody reads, such as scripts. A
/// sign that opens no tag stays: "3 < 5".
#[must_use]
pub fn without_tags(text: &str) -> Cow<'_, str> {
    let opens = |rest: &str| {
        let next = rest[1..].chars().next();
        next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!'))
    };
    let mut plain = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find('>').filter(|_| opens(rest));
        let Some(end) = end else {
            plain.push('<');
            rest = &rest[1..];
            continue;
        };
        found = true;
        let name = rest[1..end].to_ascii_lowercase();
        let unread = ["script", "style"]
            .into_iter()
            .find(|unread| name.starts_with(unread));
        rest = &rest[end + 1..];
        if let Some(unread) = unread {
            let close = rest.to_ascii_lowercase().find(&format!("</{unread}"));
            rest = close.map_or("", |close| &rest[close..]);
        }
    }
    if !found {
        return Cow::Borrowed(text);
    }
    plain.push_str(rest);
    Cow::Owned(plain.split_whitespace().collect::<Vec<_>>().join(" "))
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
    fn drawn_out_letters_are_one() {
        assert_eq!(
            without_drawl("siii esa, NOOO la otra"),
            "si esa, NO la otra"
        );
        assert_eq!(without_drawl("holaaa"), "hola");
        for text in [
            "llamar",
            "GOMA850312AAA",
            "Felipe III",
            "www.alba.example",
            "mi correo es lauraaa@mail.example",
            "leer",
        ] {
            assert_eq!(without_drawl(text), text);
        }
    }

    #[test]
    fn folding_keeps_the_letter_that_matters() {
        assert_eq!(fold("¿CÓMO"), "¿como");
        assert_eq!(fold("Niñería"), "niñeria");
        assert_eq!(fold("cafe\u{301}"), "cafe");
    }

    #[test]
    fn what_nobody_sees_is_taken_out_and_emoji_stay_whole() {
        assert_eq!(
            visible("Lim\u{200b}pieza\u{feff} \u{202e}dental"),
            "Limpieza dental"
        );
        assert_eq!(visible("Lim\u{200d}pieza"), "Limpieza");
        let family = "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥";
        assert_eq!(visible(family), family);
        assert_eq!(visible("\u{200b}\u{2060}"), "");
        assert_eq!(visible("Añejo"), "Añejo");
    }

    #[test]
    fn numbers_choose_the_form_of_their_noun() {
        let rows = |number: u64| count(number, "fila", "filas");
        assert_eq!([0, 1, 2].map(rows), ["0 filas", "1 fila", "2 filas"]);
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
    fn tags_are_no_text() {
        for (text, plain) in [
            ("<b>Abrimos</b> a las 9", "Abrimos a las 9"),
            ("hola <script>alert('x')</script>mundo", "hola mundo"),
            ("<img src=x onerror=alert(1)> S/ 120", "S/ 120"),
            ("<SCRIPT src=x>nunca termina", ""),
            ("si 3 < 5 y 7 > 2", "si 3 < 5 y 7 > 2"),
            ("<3 gracias", "<3 gracias"),
            ("a <b", "a <b"),
        ] {
            assert_eq!(without_tags(text), plain, "{text}");
        }
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
