//! The tokenizer of the bundled models: BERT's clean-up, accents folded but ñ kept, then the
//! longest known pieces of each word.
//!
//! The `tokenizers` crate reads the same file and gives the same ids, as a test makes sure. It is
//! not used here because it takes several times the memory and the time: embedding a document
//! would be spent in it, and little else.

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// The tokens that stand for no word of the text: padding, an unknown word, beginning and end.
pub(crate) const SPECIAL: [&str; 4] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const UNKNOWN: u16 = 1;
/// What marks a piece inside a word.
const INSIDE: &str = "##";
/// A longer word is not looked up.
const LONGEST_WORD: usize = 64;

#[derive(Debug)]
pub(crate) struct WordPiece {
    /// Pieces that begin a word.
    first: HashMap<Piece, u16>,
    /// Pieces that continue one, without their mark.
    inside: HashMap<Piece, u16>,
    /// In bytes; no piece is longer.
    longest: usize,
}

/// Nearly all pieces are parts of the file as it stands, without a copy.
type Piece = Cow<'static, str>;

impl WordPiece {
    /// Reads the vocabulary of a `tokenizer.json`.
    ///
    /// # Errors
    /// When the file is of another kind.
    pub(crate) fn read(file: &'static [u8]) -> serde_json::Result<Self> {
        let file: File = serde_json::from_slice(file)?;
        Ok(file.model.vocab)
    }

    /// The ids of at most `most` pieces of the text, in order.
    pub(crate) fn ids(&self, text: &str, most: usize) -> Vec<u16> {
        let mut words = Words::new(self, text, most);
        words.read_all(text);
        words.ids.truncate(most);
        words.ids
    }

    /// The same with where each piece stands, in bytes of the text. Letters and their accents have to
    /// be one character each ([NFC](https://unicode.org/reports/tr15/)).
    pub(crate) fn placed(&self, text: &str, most: usize) -> (Vec<u16>, Vec<Range<usize>>) {
        let mut words = Words::new(self, text, most);
        words.places = Some(Places::default());
        words.read_all(text);
        words.ids.truncate(most);
        let mut places = words.places.unwrap_or_default().pieces;
        places.truncate(most);
        (words.ids, places)
    }

    /// The longest known pieces from left to right; `[UNK]` when some part of the word is unknown. The
    /// end of each is told to whoever wants to know where it stands.
    fn cut(&self, word: &str, ids: &mut Vec<u16>, mut ends: Option<&mut Vec<usize>>) {
        let before = ids.len();
        let mut rest = word;
        let mut known = &self.first;
        while !rest.is_empty() {
            let mut end = rest.floor_char_boundary(self.longest);
            let found = loop {
                if let Some(id) = known.get(&rest[..end]) {
                    break Some(*id);
                }
                end = rest.floor_char_boundary(end.saturating_sub(1));
                if end == 0 {
                    break None;
                }
            };
            let Some(id) = found else {
                ids.truncate(before);
                ids.push(UNKNOWN);
                if let Some(ends) = ends {
                    ends.clear();
                    ends.push(word.len());
                }
                return;
            };
            ids.push(id);
            rest = &rest[end..];
            if let Some(ends) = &mut ends {
                ends.push(word.len() - rest.len());
            }
            known = &self.inside;
        }
    }
}

/// Where the first special token of a text stands.
fn first_special(text: &str) -> Option<(usize, u16, &'static str)> {
    // Most texts have no bracket at all, and one look for it is cheap.
    let from = text.find('[')?;
    (0..)
        .zip(SPECIAL)
        .filter_map(|(id, token)| Some((from + text[from..].find(token)?, id, token)))
        .min()
}

/// Gathers the letters of a text into words and the words' ids into a list.
struct Words<'a> {
    pieces: &'a WordPiece,
    word: String,
    letters: usize,
    ids: Vec<u16>,
    most: usize,
    places: Option<Places>,
}

/// Where words and their pieces stand in a text.
#[derive(Default)]
struct Places {
    /// Where the letter that is read now begins and ends.
    letter: Range<usize>,
    /// For each byte of the word that is gathered, the letter it is of.
    word: Vec<Range<usize>>,
    /// Ends of the pieces of a word, in its bytes.
    ends: Vec<usize>,
    pieces: Vec<Range<usize>>,
}

impl Places {
    fn push(&mut self, bytes: usize) {
        self.word
            .extend(std::iter::repeat_n(self.letter.clone(), bytes));
    }

    /// Places the pieces of the word that was gathered.
    fn end_word(&mut self, is_too_long: bool) {
        if is_too_long {
            self.ends = vec![self.word.len()];
        }
        let mut begin = 0;
        for end in self.ends.drain(..) {
            let first = self.word.get(begin);
            let last = self.word.get(..end).and_then(<[_]>::last);
            if let Some((first, last)) = first.zip(last) {
                self.pieces.push(first.start..last.end);
            }
            begin = end;
        }
        self.word.clear();
    }
}

impl<'a> Words<'a> {
    fn new(pieces: &'a WordPiece, text: &str, most: usize) -> Self {
        Self {
            pieces,
            word: String::new(),
            letters: 0,
            ids: Vec::with_capacity(most.min(text.len() / 4 + 1)),
            most,
            places: None,
        }
    }

    fn read_all(&mut self, text: &str) {
        let mut rest = text;
        // A special token written out in the text is read as that token.
        while let Some((at, id, token)) = first_special(rest) {
            self.read(&rest[..at]);
            self.ids.push(id);
            if let Some(places) = &mut self.places {
                let begin = places.letter.end;
                places.letter = begin..begin + token.len();
                places.pieces.push(places.letter.clone());
            }
            rest = &rest[at + token.len()..];
        }
        self.read(rest);
    }

    fn read(&mut self, text: &str) {
        for letter in text.nfc() {
            if self.ids.len() >= self.most {
                return;
            }
            if let Some(places) = &mut self.places {
                let begin = places.letter.end;
                places.letter = begin..begin + letter.len_utf8();
            }
            if letter.is_ascii_alphanumeric() {
                self.push(letter.to_ascii_lowercase());
            } else if letter.is_ascii_punctuation() {
                self.alone(letter);
            } else if is_space(letter) {
                self.end_word();
            } else if is_dropped(letter) {
                // Part of nothing, and no end of a word either.
            } else if is_ideograph(letter) {
                self.alone(letter);
            } else {
                for letter in letter.to_lowercase() {
                    if letter.is_alphabetic() || !letter.is_punctuation() {
                        self.push(fold(letter));
                    } else {
                        self.alone(letter);
                    }
                }
            }
        }
        self.end_word();
    }

    fn push(&mut self, letter: char) {
        self.letters += 1;
        if let Some(places) = &mut self.places {
            places.push(letter.len_utf8());
        }
        if self.letters <= LONGEST_WORD {
            self.word.push(letter);
        }
    }

    fn alone(&mut self, letter: char) {
        self.end_word();
        self.push(letter);
        self.end_word();
    }

    fn end_word(&mut self) {
        let is_too_long = self.letters > LONGEST_WORD;
        if is_too_long {
            self.ids.push(UNKNOWN);
        } else {
            let ends = self.places.as_mut().map(|places| &mut places.ends);
            self.pieces.cut(&self.word, &mut self.ids, ends);
        }
        if let Some(places) = &mut self.places {
            places.end_word(is_too_long);
        }
        self.word.clear();
        self.letters = 0;
    }
}

fn is_space(c: char) -> bool {
    // Some white space is also a control character, and then it is dropped, all but these.
    matches!(c, ' ' | '\t' | '\n' | '\r') || c.is_whitespace() && !is_dropped(c)
}

fn is_dropped(c: char) -> bool {
    // The first look is the quick one: nearly every character is a letter.
    !c.is_alphabetic() && (c == '\u{fffd}' || c.is_other() && !matches!(c, '\t' | '\n' | '\r'))
}

/// The blocks that BERT takes for Chinese: each character of them is a word.
fn is_ideograph(c: char) -> bool {
    matches!(
        u32::from(c),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0xF900..=0xFAFF
            | 0x2F800..=0x2FA1F
    )
}

/// As the model was trained, which is not quite what search folds: ý and å count here.
fn fold(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ý' => 'y',
        other => other,
    }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct File {
    model: Model,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
struct Model {
    #[serde(deserialize_with = "vocabulary")]
    vocab: WordPiece,
}

fn vocabulary<'de: 'static, D: Deserializer<'de>>(from: D) -> Result<WordPiece, D::Error> {
    from.deserialize_map(Vocabulary)
}

struct Vocabulary;

impl<'de: 'static> Visitor<'de> for Vocabulary {
    type Value = WordPiece;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pieces of words and their ids")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WordPiece, A::Error> {
        let mut pieces = WordPiece {
            first: HashMap::new(),
            inside: HashMap::new(),
            longest: 0,
        };
        while let Some((Key(piece), id)) = map.next_entry::<Key, u16>()? {
            if SPECIAL.get(usize::from(id)).is_some_and(|s| *s != piece) {
                return Err(A::Error::custom(
                    "the special tokens are not the expected ones",
                ));
            }
            let (table, piece) = match piece {
                Cow::Borrowed(piece) => match piece.strip_prefix(INSIDE) {
                    Some(rest) if !rest.is_empty() => (&mut pieces.inside, Cow::Borrowed(rest)),
                    _ => (&mut pieces.first, Cow::Borrowed(piece)),
                },
                Cow::Owned(piece) => match piece.strip_prefix(INSIDE) {
                    Some(rest) if !rest.is_empty() => {
                        (&mut pieces.inside, Cow::Owned(rest.to_owned()))
                    }
                    _ => (&mut pieces.first, Cow::Owned(piece)),
                },
            };
            pieces.longest = pieces.longest.max(piece.len());
            table.insert(piece, id);
        }
        pieces.first.shrink_to_fit();
        pieces.inside.shrink_to_fit();
        Ok(pieces)
    }
}

/// A key that borrows from the file unless it is written with escapes.
struct Key(Piece);

impl<'de: 'static> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de: 'static> Visitor<'de> for Text {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a piece of a word")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::files;
    use proptest::prelude::*;
    use std::sync::LazyLock;
    use tokenizers::Tokenizer;

    static OURS: LazyLock<WordPiece> = LazyLock::new(|| WordPiece::read(files::TOKENIZER).unwrap());
    static REFERENCE: LazyLock<Tokenizer> =
        LazyLock::new(|| Tokenizer::from_bytes(files::TOKENIZER).unwrap());

    fn agree(text: &str) {
        let reference = REFERENCE.encode_fast(text, false).unwrap();
        let ours = OURS.ids(text, usize::MAX);
        let ours: Vec<u32> = ours.into_iter().map(u32::from).collect();
        assert_eq!(ours, reference.get_ids(), "{text:?}");
        let text: String = text.nfc().collect();
        let reference = REFERENCE.encode(text.as_str(), false).unwrap();
        let (ids, places) = OURS.placed(&text, usize::MAX);
        assert_eq!(ids.len(), places.len(), "{text:?}");
        for (place, (begin, end)) in places.iter().zip(reference.get_offsets()) {
            assert_eq!(*place, *begin..*end, "{text:?}");
        }
    }

    #[test]
    fn odd_texts_are_read_as_the_reference_reads_them() {
        for text in [
            "",
            " ",
            "[CLS] hola[SEP]mundo [PAD][UNK",
            "[[CLS]] ## ### ##a \"\\\"",
            "cafe\u{301} ÁÉÍÓÚÜÑ ÇÝÅ n\u{303} \u{1100}\u{1161}",
            "İstanbul ẞ ΑΣ ǅ ﬁn",
            "a\u{b}b\u{c}c\u{85}d\u{a0}e\u{2028}f\u{200b}g\u{feff}h\u{0}i\u{fffd}j\u{ad}k",
            "日本語と한국어と中文，价格：１２０元",
            "👨‍👩‍👧‍👦 👍🏽 S/ 120.50 — «¿qué?» … № 5º 3ª",
            &"a".repeat(64),
            &"á".repeat(65),
            &"e\u{301}".repeat(64),
            &"İ".repeat(33),
            "https://ejemplo.com/a_b?c=d&e=f#g",
        ] {
            agree(text);
        }
    }

    #[test]
    fn every_character_is_read_as_the_reference_reads_it() {
        // The blocks in which characters differ in kind: alphabets, punctuation, symbols, some
        // ideographs, private use, compatibility forms, emoji.
        for block in [
            0..0x3500_u32,
            0xD700..0xE100,
            0xF800..0x1_0000,
            0x1_F000..0x1_FB00,
        ] {
            for start in block.step_by(0x100) {
                // Between letters, so that what is dropped, separates or stands alone differs.
                let letters = (start..start + 0x100).filter_map(char::from_u32);
                let text: String = letters.flat_map(|c| ['a', c, 'b', ' ']).collect();
                agree(&text);
            }
        }
    }

    #[test]
    fn no_more_than_the_wanted_ids_are_given() {
        let all = OURS.ids("uno dos tres cuatro", usize::MAX);
        assert_eq!(OURS.ids("uno dos tres cuatro", 2), all[..2]);
        assert_eq!(OURS.ids("Supercalifragilisticoexpialidoso", 3).len(), 3);
    }

    proptest! {
        #[test]
        fn spanish_is_read_as_the_reference_reads_it(
            text in "([a-zA-ZñÑáéíóúüÁÉ]{1,12}[ ,.:;¿?¡!()/0-9€\n-]{1,3}){0,30}",
        ) {
            agree(&text);
        }

        #[test]
        fn anything_is_read_as_the_reference_reads_it(text in "\\PC{0,60}|.{0,60}") {
            agree(&text);
        }
    }
}
