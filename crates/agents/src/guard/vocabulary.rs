//! The words that the lexicon knows, and which of them a written word is.

use aho_corasick::AhoCorasick;
use quipu_core::quick::QuickMap;

/// The number of a word or a beginning of words.
pub(super) type PatternId = u16;

/// Shorter pieces stand by chance inside a run of letters.
const PIECE_LETTERS: usize = 3;
/// What a letter costs that belongs to no word, where a word costs one.
const STRAY_LETTER: usize = 3;
/// Fewer letters can be put in another order without anybody reading the same word.
const SHUFFLED_LETTERS: usize = 5;
/// No word of a person is longer; longer ones are compared up to here.
const LONGEST_WORD: usize = 40;

#[derive(Debug, Default)]
pub(super) struct Words {
    whole: QuickMap<Box<str>, PatternId>,
    beginnings: QuickMap<Box<str>, PatternId>,
    /// The words that are known even with their inner letters in another order.
    shuffled: QuickMap<Box<str>, PatternId>,
    count: PatternId,
}

impl Words {
    /// The number of "regla", "regl*" or, with its letters in any order, "~regla".
    pub(super) fn add(&mut self, written: &str) -> Result<PatternId, String> {
        let shuffled = written.strip_prefix('~');
        let word = shuffled.unwrap_or(written);
        let beginning = word.strip_suffix('*');
        let text = beginning.unwrap_or(word);
        if text.is_empty()
            || !text
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        {
            return Err(format!(
                "\"{written}\" is no word without accents and capitals"
            ));
        }
        let map = match beginning {
            Some(_) => &mut self.beginnings,
            None => &mut self.whole,
        };
        let next = self.count;
        let id = *map.entry(text.into()).or_insert(next);
        if id == next {
            self.count = next.checked_add(1).ok_or("there are too many words")?;
        }
        if shuffled.is_some() && text.len() >= SHUFFLED_LETTERS {
            self.shuffled.insert(signature(text).into(), id);
        }
        Ok(id)
    }

    pub(super) fn finish(self) -> Result<Vocabulary, String> {
        let pieces: Vec<&str> = self
            .whole
            .keys()
            .chain(self.beginnings.keys())
            .map(AsRef::as_ref)
            .filter(|text: &&str| text.len() >= PIECE_LETTERS)
            .collect();
        let pieces = AhoCorasick::new(pieces).map_err(|error| error.to_string())?;
        let lengths = |map: &QuickMap<Box<str>, PatternId>| {
            let lengths = map.keys().map(|text| text.len());
            lengths.clone().min().unwrap_or(1)..=lengths.max().unwrap_or(0)
        };
        Ok(Vocabulary {
            beginning_lengths: lengths(&self.beginnings),
            words: self,
            pieces,
        })
    }
}

#[derive(Debug)]
pub(super) struct Vocabulary {
    words: Words,
    beginning_lengths: std::ops::RangeInclusive<usize>,
    pieces: AhoCorasick,
}

impl Vocabulary {
    pub(super) fn len(&self) -> usize {
        usize::from(self.words.count)
    }

    /// The words of the lexicon that a folded word is.
    pub(super) fn look_up(&self, word: &str, found: &mut Vec<PatternId>) {
        let before = found.len();
        found.extend(self.words.whole.get(word));
        let longest = word.len().min(*self.beginning_lengths.end());
        for length in *self.beginning_lengths.start()..=longest {
            // Letters outside ASCII are in no beginning, so that nothing after one can match.
            match word.get(..length) {
                Some(beginning) => found.extend(self.words.beginnings.get(beginning)),
                None => break,
            }
        }
        if found.len() == before && (SHUFFLED_LETTERS..=LONGEST_WORD).contains(&word.len()) {
            found.extend(self.words.shuffled.get(signature(word).as_str()));
        }
    }

    pub(super) fn knows(&self, word: &str) -> bool {
        self.words.whole.contains_key(word)
            || (4..=word.len().min(*self.beginning_lengths.end())).any(|length| {
                word.get(..length)
                    .is_some_and(|b| self.words.beginnings.contains_key(b))
            })
    }

    /// Writes a run of letters without spaces as the words of the lexicon that it is made of: so
    /// that the fewest letters belong to none, and the words are the fewest.
    pub(super) fn segment(&self, run: &str, out: &mut String) {
        if !run.is_ascii() {
            out.push_str(run);
            return;
        }
        // For each place, what the letters up to it cost, and where the last piece begins.
        let mut cheapest = vec![(usize::MAX, 0); run.len() + 1];
        cheapest[0] = (0, 0);
        let mut pieces = self.pieces.find_overlapping_iter(run).peekable();
        for end in 1..=run.len() {
            let (before, start) = cheapest[end - 1];
            let goes_on = !self.is_piece(&run[start..end - 1]);
            let stray = if goes_on { start } else { end - 1 };
            cheapest[end] = (before + STRAY_LETTER, stray);
            while let Some(piece) = pieces.next_if(|piece| piece.end() == end) {
                let cost = cheapest[piece.start()].0 + 1;
                if cost < cheapest[end].0 {
                    cheapest[end] = (cost, piece.start());
                }
            }
        }
        let mut starts = Vec::new();
        let mut end = run.len();
        while end > 0 {
            end = cheapest[end].1;
            starts.push(end);
        }
        let mut from = starts.pop().unwrap_or(0);
        for next in starts.into_iter().rev().chain([run.len()]) {
            out.push_str(&run[from..next]);
            out.push(' ');
            from = next;
        }
    }

    fn is_piece(&self, text: &str) -> bool {
        self.words.whole.contains_key(text) || self.words.beginnings.contains_key(text)
    }
}

/// The first and the last letter, and the others in the order of the alphabet.
fn signature(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let last = letters.len().saturating_sub(1);
    if let Some(inner) = letters.get_mut(1..last) {
        inner.sort_unstable();
    }
    letters.into_iter().collect()
}
