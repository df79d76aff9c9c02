//! A question beside passages, word by word: what one vector for a whole passage cannot tell.
//!
//! Every word of the question looks for the word of the passage that is nearest to it in the quick
//! model's table. "Cuánto sale" finds "cuesta" so, and a misspelt name the one it shares its pieces
//! with. A word that all of the passages have tells none of them apart and counts little.

use crate::bundled::{self, DIMENSIONS, SPECIAL, Table, WordPiece};
use async_trait::async_trait;
use quipu_core::memo::Memo;
use quipu_core::ports::WordComparer;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock, OnceLock};

/// What a customer asks has fewer tokens.
const MOST_ASKED: usize = 64;
/// Passages are shorter; what follows in a longer one is not compared.
const MOST_READ: usize = 1_000;
/// Bytes of passages that are compared where they are asked for, in some tenths of a millisecond: to
/// hand them to another thread would take as long.
const MOST_AT_ONCE: usize = 24 * 1024;
/// Passages whose tokens are kept at hand, some hundred bytes each.
const MOST_KNOWN: usize = 20_000;
/// A long passage comes near to anything by chance: by so much more for each e-fold of its different
/// tokens, as passages of other businesses showed that were cut to 15 to 480 of them.
const BY_CHANCE: f32 = 0.1;
/// A passage of so many different tokens, about a hundred words, is taken as it is.
const USUAL: f32 = 64.0;
/// From this cosine on a passage has a word, in this or another form.
const SAME: f32 = 0.6;

/// The comparer inside the binary.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltinWords;

#[async_trait]
impl WordComparer for BuiltinWords {
    async fn nearness(&self, questions: &[String], passages: &[String]) -> Option<Vec<Vec<f32>>> {
        let bytes: usize = passages.iter().map(String::len).sum();
        if bytes * questions.len() <= MOST_AT_ONCE {
            return WordTable::bundled().map(|table| table.all(questions, passages));
        }
        // Long questions to long passages take milliseconds, which nobody else should wait for.
        let (questions, passages) = (questions.to_vec(), passages.to_vec());
        let comparing = tokio::task::spawn_blocking(move || {
            WordTable::bundled().map(|table| table.all(&questions, &passages))
        });
        comparing.await.ok().flatten()
    }
}

/// The table of the quick model, and what cuts texts into its tokens.
struct WordTable {
    words: &'static WordPiece,
    table: Table,
    /// Of each row.
    lengths: Vec<f32>,
}

/// The different tokens of a text, as rows of the table one after another.
struct PassageWords {
    rows: Vec<i8>,
    lengths: Vec<f32>,
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
    fn row(&self, token: u16) -> Option<(impl Iterator<Item = i8>, f32, f32)> {
        let (row, scale) = self.table.row(token)?;
        let length = self.lengths.get(usize::from(token))?;
        Some((row, *length, scale))
    }

    fn all(&self, questions: &[String], passages: &[String]) -> Vec<Vec<f32>> {
        let read: Vec<PassageWords> = passages.iter().map(|text| self.passage(text)).collect();
        let near = questions.iter().map(|text| self.near(text, &read));
        near.collect()
    }

    /// How near each passage is to the question, 0 to 1.
    fn near(&self, question: &str, passages: &[PassageWords]) -> Vec<f32> {
        let mut products = Vec::new();
        let mut sums = vec![0.0; passages.len()];
        let mut most = 0.0;
        for token in self.tokens(question, MOST_ASKED) {
            let Some((asked, length, scale)) = self.row(token) else {
                continue;
            };
            let asked: Vec<i8> = asked.collect();
            let nearest: Vec<f32> = passages
                .iter()
                .map(|passage| passage.nearest(&asked, length, &mut products))
                .collect();
            let weight = length * scale * rarity(&nearest);
            for (sum, near) in sums.iter_mut().zip(&nearest) {
                *sum += weight * near;
            }
            most += weight;
        }
        let near = sums.iter().zip(passages).map(|(sum, passage)| {
            if most <= 0.0 || passage.lengths.is_empty() {
                return 0.0;
            }
            (sum / most - passage.by_chance()).clamp(0.0, 1.0)
        });
        near.collect()
    }

    fn passage(&self, text: &str) -> PassageWords {
        static KNOWN: LazyLock<Memo<Arc<[u16]>>> = LazyLock::new(|| Memo::new(MOST_KNOWN));
        let tokens = KNOWN.of(text, || {
            let mut seen = HashSet::new();
            let mut tokens = self.tokens(text, MOST_READ);
            tokens.retain(|token| seen.insert(*token));
            tokens.into()
        });
        let mut rows = Vec::with_capacity(tokens.len() * DIMENSIONS);
        let mut lengths = Vec::with_capacity(tokens.len());
        for (row, length, _) in tokens.iter().filter_map(|token| self.row(*token)) {
            rows.extend(row);
            lengths.push(length);
        }
        PassageWords { rows, lengths }
    }

    fn tokens(&self, text: &str, most: usize) -> Vec<u16> {
        let mut tokens = self.words.ids(text, most);
        tokens.retain(|token| usize::from(*token) >= SPECIAL.len());
        tokens
    }
}

impl PassageWords {
    /// What a passage of this length has more than a usual one, whatever is asked.
    fn by_chance(&self) -> f32 {
        let tokens = u16::try_from(self.lengths.len()).unwrap_or(u16::MAX);
        BY_CHANCE * (f32::from(tokens.max(1)) / USUAL).ln()
    }

    /// The cosine of the nearest word.
    fn nearest(&self, asked: &[i8], length: f32, products: &mut Vec<i32>) -> f32 {
        products.resize(self.lengths.len(), 0);
        quipu_simd::scan_i8(asked, &self.rows, products);
        let cosines = products.iter().zip(&self.lengths);
        let cosines = cosines.map(|(product, its)| float(*product) / (length * its).max(1e-9));
        cosines.fold(0.0, f32::max)
    }
}

/// What a word is worth that so many of the passages have.
fn rarity(nearest: &[f32]) -> f32 {
    let count = |number: usize| f32::from(u16::try_from(number).unwrap_or(u16::MAX));
    let have = count(nearest.iter().filter(|near| **near > SAME).count());
    let have_not = count(nearest.len()) - have;
    (1.0 + (have_not + 0.5) / (have + 0.5)).ln()
}

fn length(row: impl Iterator<Item = i8>) -> f32 {
    let square: i32 = row.map(|x| i32::from(x) * i32::from(x)).sum();
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

    async fn near(question: &str, passages: &[&str]) -> Vec<f32> {
        let passages: Vec<String> = passages.iter().map(|text| (*text).to_owned()).collect();
        let questions = [question.to_owned()];
        let near = BuiltinWords.nearness(&questions, &passages).await;
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
    async fn nothing_is_near_to_nothing() {
        assert_eq!(near("", &["Abrimos."]).await, [0.0]);
        assert_eq!(near("¿abren?", &[""]).await, [0.0]);
        assert!(near("¿abren?", &[]).await.is_empty());
    }
}
