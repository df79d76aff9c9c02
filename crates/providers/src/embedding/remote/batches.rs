//! How many texts go into one call.

use super::protocol::Protocol;

/// The numbers of one answer: a million of them are some twenty megabytes of text.
const MOST_NUMBERS: usize = 1_000_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    count: usize,
    /// Estimated.
    tokens: usize,
}

impl Limits {
    pub(super) fn new(protocol: Protocol, batch_size: usize, dimensions: usize) -> Self {
        let (count, tokens) = match protocol {
            // 2,048 texts and 300,000 tokens, of which the estimate leaves a part.
            Protocol::Openai => (2048, 200_000),
            Protocol::Cohere => (96, 128_000),
            // Servers differ; the batch size of the knowledge base says what this one takes.
            Protocol::Custom => (2048, 64_000),
        };
        let count = count
            .min(batch_size)
            .min(MOST_NUMBERS / dimensions.max(1))
            .max(1);
        Self { count, tokens }
    }

    /// Cuts the texts into batches, in order. A text that is too long by itself goes alone, and
    /// the provider decides about it.
    pub(super) fn split<'t, 'a>(&self, texts: &'t [&'a str]) -> Vec<&'t [&'a str]> {
        let mut batches = Vec::new();
        let (mut start, mut tokens) = (0, 0);
        for (at, text) in texts.iter().enumerate() {
            let more = estimated_tokens(text);
            if at > start && (at - start == self.count || tokens + more > self.tokens) {
                batches.push(&texts[start..at]);
                (start, tokens) = (at, 0);
            }
            tokens += more;
        }
        if start < texts.len() {
            batches.push(&texts[start..]);
        }
        batches
    }
}

/// Rather too many than too few: Spanish has three letters and more a token, Chinese a token for
/// a character of three bytes.
fn estimated_tokens(text: &str) -> usize {
    text.len().div_ceil(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sizes(limits: Limits, texts: &[&str]) -> Vec<usize> {
        let batches = limits.split(texts);
        assert_eq!(batches.concat(), texts);
        batches.iter().map(|batch| batch.len()).collect()
    }

    #[test]
    fn batches_keep_to_the_limits_of_the_provider() {
        let texts = vec!["hola"; 200];
        let cohere = Limits::new(Protocol::Cohere, 2048, 1024);
        assert_eq!(sizes(cohere, &texts), [96, 96, 8]);
        let small = Limits::new(Protocol::Cohere, 50, 1024);
        assert_eq!(sizes(small, &texts), [50; 4]);
        let openai = Limits::new(Protocol::Openai, 2048, 1536);
        assert_eq!(sizes(openai, &texts), [200]);
        assert_eq!(
            sizes(openai, &vec!["a"; 1000]),
            [651, 349],
            "by the size of the answer"
        );
        assert!(sizes(openai, &[]).is_empty());
    }

    #[test]
    fn long_texts_share_a_batch_with_fewer() {
        let limits = Limits {
            count: 10,
            tokens: 10,
        };
        let (long, short) = ("a".repeat(60), "a".repeat(12));
        assert_eq!(sizes(limits, &[&short, &short, &short]), [2, 1]);
        assert_eq!(sizes(limits, &[&short, &long, &short]), [1, 1, 1]);
    }

    proptest! {
        #[test]
        fn no_text_is_lost(texts in prop::collection::vec("a{0,30}", 0..60), count in 1_usize..9, tokens in 1_usize..40) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for size in sizes(Limits { count, tokens }, &texts) {
                prop_assert!(size > 0 && size <= count);
            }
        }
    }
}
