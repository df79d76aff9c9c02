//! A question beside passages, word by word: what one vector for a whole passage cannot tell.
//!
//! Every word of the question looks for the word of the passage that is nearest to it in the quick
//! model's table. "Cuánto sale" finds "cuesta" so, and a misspelt name the one it shares its pieces
//! with. A word that all of the passages have tells none of them apart and counts little.

use crate::bundled::{self, SPECIAL, Table, WordPiece};
use async_trait::async_trait;
use quipu_core::memo::Memo;
use quipu_core::ports::{ChunkVersion, PassageWords, WordComparer};
use quipu_core::quick::QuickMap;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;

/// What a customer asks has fewer tokens.
const MOST_ASKED: usize = 64;
/// Passages are shorter; what follows in a longer one is not compared.
const MOST_READ: usize = 1_000;
/// Tokens of passages that are compared where they are asked for, passage by passage, in some tenths of a
/// millisecond: to hand them to another thread would take as long.
const MOST_AT_ONCE: usize = 6_000;
/// Passages that are compared before others get their turn: each turn costs microseconds.
const FEW: usize = 4;
/// Passages whose tokens are kept at hand, some hundred bytes each.
const MOST_KNOWN: usize = 20_000;
/// How near passages are to tokens, kept at hand in about twenty bytes each: customers ask in few words.
const MOST_NEAREST: usize = 200_000;
/// A long passage comes near to anything by chance: by so much more for each e-fold of its different
/// tokens, as passages of other businesses showed that were cut to 15 to 480 of them.
const BY_CHANCE: f32 = 0.1;
/// A passage of so many different tokens, about a hundred words, is taken as it is.
const USUAL: f32 = 64.0;
/// From this cosine on a passage has a word, in this or another form.
const SAME: f32 = 0.6;

/// The comparer inside the binary.
#[derive(Debug)]
pub struct BuiltinWords {
    known: Memo<PassageWords>,
    /// Of a passage, by its hash, and a token that was asked for.
    nearest: Memo<f32>,
    passages: RandomState,
}

impl Default for BuiltinWords {
    fn default() -> Self {
        Self {
            known: Memo::new(MOST_KNOWN),
            nearest: Memo::new(MOST_NEAREST),
            passages: RandomState::new(),
        }
    }
}

#[async_trait]
impl WordComparer for BuiltinWords {
    fn known(&self, passage: ChunkVersion) -> Option<PassageWords> {
        self.known.get(&passage)
    }

    fn read(&self, passage: ChunkVersion, text: &str) -> PassageWords {
        let words = WordTable::bundled().map(|table| table.passage(text));
        let words = words.unwrap_or_default();
        self.known.insert(&passage, words.clone());
        words
    }

    async fn nearness(
        &self,
        questions: &[String],
        passages: &[PassageWords],
    ) -> Option<Vec<Vec<f32>>> {
        let table = WordTable::bundled()?;
        let asked = table.asked(questions);
        let hashes = passages.iter().map(|words| self.passages.hash_one(words));
        let hashes: Vec<u64> = hashes.collect();
        let known = hashes
            .iter()
            .map(|passage| self.known_nearest(*passage, &asked));
        let mut nearest: Vec<Vec<Option<f32>>> = known.collect();
        let unknown: Vec<usize> = (0..asked.tokens.len())
            .filter(|place| nearest.iter().any(|near| near[*place].is_none()))
            .collect();
        if !unknown.is_empty() {
            let rows = asked.rows(&unknown);
            let tokens: usize = passages.iter().map(|words| words.len()).sum();
            let found = if tokens * questions.len() <= MOST_AT_ONCE {
                table.little_by_little(rows, passages).await
            } else {
                // Long questions to long passages take milliseconds, which nobody else should wait for.
                let passages = passages.to_vec();
                let comparing = tokio::task::spawn_blocking(move || table.all(rows, &passages));
                comparing.await.ok()?
            };
            for ((near, found), passage) in nearest.iter_mut().zip(found).zip(&hashes) {
                for (place, found) in unknown.iter().zip(found) {
                    near[*place] = Some(found);
                    self.nearest.insert(&(passage, asked.tokens[*place]), found);
                }
            }
        }
        let nearest = nearest
            .into_iter()
            .map(|near| near.into_iter().flatten().collect());
        Some(asked.near(&nearest.collect::<Vec<_>>(), passages))
    }
}

impl BuiltinWords {
    fn known_nearest(&self, passage: u64, asked: &AskedWords) -> Vec<Option<f32>> {
        let tokens = asked.tokens.iter();
        let known = tokens.map(|token| self.nearest.get(&(passage, token)));
        known.collect()
    }
}

/// The table of the quick model, and what cuts texts into its tokens.
struct WordTable {
    words: &'static WordPiece,
    table: Table,
    /// Of each row.
    lengths: Vec<f32>,
}

/// The different tokens of all questions that are asked at once: one of them mostly says what another
/// says, and more.
#[derive(Default)]
struct AskedWords {
    tokens: Vec<u16>,
    rows: Vec<(&'static [i8], f32)>,
    questions: Vec<QuestionWords>,
}

/// Rows of the table, one after another, and how long each is.
struct AskedRows {
    rows: Vec<i8>,
    lengths: Vec<f32>,
}

/// The tokens of a question.
#[derive(Default)]
struct QuestionWords {
    /// Where each stands among the different ones.
    places: Vec<usize>,
    /// What each counts, whatever the passages have.
    weights: Vec<f32>,
}

impl WordTable {
    fn bundled() -> Option<&'static Self> {
        static BUNDLED: OnceLock<Option<WordTable>> = OnceLock::new();
        let table = BUNDLED.get_or_init(|| Self::read().ok());
        table.as_ref()
    }

    fn read() -> Result<Self, String> {
        let words = bundled::words()?;
        let table = Table::read(bundled::STATIC_TABLE, "table")?;
        let rows = (0..=u16::MAX).map_while(|token| table.row(token));
        let lengths = rows.map(|(row, _)| length(row)).collect();
        Ok(Self {
            words,
            table,
            lengths,
        })
    }

    /// A row of the table, how long it is, and what one of its numbers is worth.
    fn row(&self, token: u16) -> Option<(&'static [i8], f32, f32)> {
        let (row, scale) = self.table.row(token)?;
        let length = self.lengths.get(usize::from(token))?;
        Some((row, *length, scale))
    }

    /// For each passage and each token that is asked for the cosine of the token nearest to it.
    fn all(&self, asked: AskedRows, passages: &[PassageWords]) -> Vec<Vec<f32>> {
        let mut cosines = TokenCosines::new(self, asked);
        let nearest = passages.iter().map(|passage| cosines.nearest(passage));
        nearest.collect()
    }

    /// The same, but what else the search waits for goes on after every few passages.
    async fn little_by_little(&self, asked: AskedRows, passages: &[PassageWords]) -> Vec<Vec<f32>> {
        let mut cosines = TokenCosines::new(self, asked);
        let mut nearest = Vec::with_capacity(passages.len());
        for few in passages.chunks(FEW) {
            nearest.extend(few.iter().map(|passage| cosines.nearest(passage)));
            tokio::task::yield_now().await;
        }
        nearest
    }

    fn asked(&self, questions: &[String]) -> AskedWords {
        let mut asked = AskedWords::default();
        let mut known: QuickMap<u16, usize> = QuickMap::default();
        for text in questions {
            let mut question = QuestionWords::default();
            for token in self.tokens(text, MOST_ASKED) {
                let Some((row, length, scale)) = self.row(token) else {
                    continue;
                };
                let place = *known.entry(token).or_insert_with(|| {
                    asked.tokens.push(token);
                    asked.rows.push((row, length));
                    asked.rows.len() - 1
                });
                question.places.push(place);
                question.weights.push(length * scale);
            }
            asked.questions.push(question);
        }
        asked
    }

    fn passage(&self, text: &str) -> PassageWords {
        let mut seen = HashSet::new();
        let mut tokens = self.tokens(text, MOST_READ);
        tokens.retain(|token| seen.insert(*token));
        tokens.into()
    }

    fn tokens(&self, text: &str, most: usize) -> Vec<u16> {
        let mut tokens = self.words.ids(text, most);
        tokens.retain(|token| usize::from(*token) >= SPECIAL.len());
        tokens
    }
}

impl AskedWords {
    /// The rows that stand at these places.
    fn rows(&self, places: &[usize]) -> AskedRows {
        let of_places = places.iter().map(|place| self.rows[*place]);
        let (rows, lengths): (Vec<&[i8]>, Vec<f32>) = of_places.unzip();
        AskedRows {
            rows: rows.concat(),
            lengths,
        }
    }

    /// How near each passage is to each question, whose words nearest to each different token are given.
    fn near(&self, nearest: &[Vec<f32>], passages: &[PassageWords]) -> Vec<Vec<f32>> {
        let questions = self.questions.iter();
        let near = questions.map(|question| question.near(nearest, passages));
        near.collect()
    }
}

impl QuestionWords {
    /// How near each passage is, 0 to 1, whose words nearest to each of the question's are given.
    fn near(&self, nearest: &[Vec<f32>], passages: &[PassageWords]) -> Vec<f32> {
        let mut sums = vec![0.0; passages.len()];
        let mut most = 0.0;
        for (word, weight) in self.places.iter().zip(&self.weights) {
            let weight = weight * rarity(nearest.iter().map(|of_passage| of_passage[*word]));
            for (sum, of_passage) in sums.iter_mut().zip(nearest) {
                *sum += weight * of_passage[*word];
            }
            most += weight;
        }
        let near = sums.iter().zip(passages).map(|(sum, passage)| {
            if most <= 0.0 || passage.is_empty() {
                return 0.0;
            }
            (sum / most - by_chance(passage)).clamp(0.0, 1.0)
        });
        near.collect()
    }
}

/// How near tokens of passages are to each token that is asked for. Passages of one business share many.
struct TokenCosines<'a> {
    table: &'a WordTable,
    asked: AskedRows,
    /// Where the cosines of a token begin.
    places: QuickMap<u16, usize>,
    cosines: Vec<f32>,
    products: Vec<i32>,
}

impl<'a> TokenCosines<'a> {
    fn new(table: &'a WordTable, asked: AskedRows) -> Self {
        Self {
            table,
            places: QuickMap::default(),
            cosines: Vec::new(),
            products: vec![0; asked.lengths.len()],
            asked,
        }
    }

    /// For each token that is asked for the cosine of the passage's token that is nearest to it.
    fn nearest(&mut self, passage: &PassageWords) -> Vec<f32> {
        let mut nearest = vec![0.0_f32; self.asked.lengths.len()];
        for token in passage.iter() {
            for (nearest, cosine) in nearest.iter_mut().zip(self.of(*token)) {
                *nearest = nearest.max(*cosine);
            }
        }
        nearest
    }

    fn of(&mut self, token: u16) -> &[f32] {
        let asked = self.asked.lengths.len();
        let next = self.cosines.len();
        let place = *self.places.entry(token).or_insert(next);
        if place == next
            && let Some((row, its, _)) = self.table.row(token)
        {
            quipu_simd::scan_i8(row, &self.asked.rows, &mut self.products);
            let of_question = self.products.iter().zip(&self.asked.lengths);
            let cosine =
                |(product, length): (&i32, &f32)| float(*product) / (length * its).max(1e-9);
            self.cosines.extend(of_question.map(cosine));
        }
        self.cosines.get(place..place + asked).unwrap_or_default()
    }
}

/// What a passage of this length has more than a usual one, whatever is asked.
fn by_chance(passage: &PassageWords) -> f32 {
    let tokens = u16::try_from(passage.len()).unwrap_or(u16::MAX);
    BY_CHANCE * (f32::from(tokens.max(1)) / USUAL).ln()
}

/// What a word is worth that so many of the passages have.
fn rarity(nearest: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = |number: usize| f32::from(u16::try_from(number).unwrap_or(u16::MAX));
    let all = count(nearest.len());
    let have = count(nearest.filter(|near| *near > SAME).count());
    let have_not = all - have;
    (1.0 + (have_not + 0.5) / (have + 0.5)).ln()
}

fn length(row: &[i8]) -> f32 {
    let square: i32 = row.iter().map(|x| i32::from(*x) * i32::from(*x)).sum();
    float(square).sqrt()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a product of 384 bytes with 384 bytes is below 2^24"
)]
fn float(product: i32) -> f32 {
    product as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::{ChunkId, Timestamp};

    fn version(version: i64) -> ChunkVersion {
        let chunk = ChunkId::generate(Timestamp::UNIX_EPOCH);
        ChunkVersion { chunk, version }
    }

    async fn near(question: &str, passages: &[&str]) -> Vec<f32> {
        let words = BuiltinWords::default();
        let read: Vec<PassageWords> = passages
            .iter()
            .map(|text| words.read(version(0), text))
            .collect();
        let questions = [question.to_owned()];
        let near = words.nearness(&questions, &read).await;
        near.unwrap().remove(0)
    }

    #[tokio::test]
    async fn the_passage_with_the_word_that_was_asked_for_is_nearest() {
        let passages = [
            "La limpieza dental cuesta 90 soles.",
            "El blanqueamiento dental cuesta 350 soles.",
            "La consulta dental cuesta 40 soles.",
        ];
        let questions = [
            "cuánto cuesta el blanqueamiento",
            "cuanto cuesta el blanqeamiento",
            "how much is teeth whitening, el blanqueamiento",
        ];
        for question in questions {
            let near = near(question, &passages).await;
            assert!(near[1] > near[0] + 0.02, "{question}: {near:?}");
            assert!(near[1] > near[2] + 0.02, "{question}: {near:?}");
            assert!(near.iter().all(|near| (0.0..=1.0).contains(near)));
        }
    }

    #[tokio::test]
    async fn a_word_that_all_have_counts_less() {
        let (rare, common) = ("Abrimos el domingo.", "Abrimos de noche.");
        let others = ["Abrimos temprano.", "Abrimos siempre.", "Abrimos tarde."];
        let of = async |passages: &[&str]| near("abrimos domingo", passages).await[0];
        let among_others = of(&[common, others[0], others[1], others[2], rare]).await;
        let alone = of(&[common, rare]).await;
        assert!(among_others < alone, "{among_others} {alone}");
    }

    #[tokio::test]
    async fn a_long_passage_is_not_near_to_everything() {
        let long: String = include_str!("word_by_word.rs")
            .chars()
            .take(4_000)
            .collect();
        let short = "Estamos frente al parque, a dos cuadras de la plaza.";
        let near = near("dónde queda el parque", &[short, &long]).await;
        assert!(near[0] > near[1] + 0.1, "{near:?}");
    }

    #[tokio::test]
    async fn what_is_known_of_some_words_changes_nothing_for_others() {
        let texts = [
            "Abrimos los domingos.",
            "Estamos frente al parque.",
            "Cuesta 40 soles.",
        ];
        let questions = [
            "¿abren el domingo?",
            "¿abren frente al parque?",
            "¿cuánto cuesta el domingo?",
        ];
        let words = BuiltinWords::default();
        let mut known: Vec<PassageWords> = Vec::new();
        for (question, text) in questions.into_iter().zip(texts) {
            known.push(words.read(version(0), text));
            let asked = [question.to_owned()];
            let near = words.nearness(&asked, &known).await;
            let afresh = BuiltinWords::default().nearness(&asked, &known).await;
            assert_eq!(near, afresh);
        }
    }

    #[tokio::test]
    async fn nothing_is_near_to_nothing() {
        assert_eq!(near("", &["Abrimos."]).await, [0.0]);
        assert_eq!(near("¿abren?", &[""]).await, [0.0]);
        assert!(near("¿abren?", &[]).await.is_empty());
    }

    #[test]
    fn a_chunk_is_known_as_it_reads_at_its_version() {
        let words = BuiltinWords::default();
        let first = version(1);
        assert!(words.known(first).is_none());
        let read = words.read(first, "Abrimos el domingo.");
        assert_eq!(words.known(first), Some(read));
        let later = ChunkVersion {
            version: 2,
            ..first
        };
        assert!(words.known(later).is_none());
    }
}
