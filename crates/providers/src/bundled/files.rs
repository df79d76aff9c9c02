//! The files of the bundled models, as they lie in the binary.
//!
//! They are read where they are: the operating system brings in the pages that are used and may
//! drop them again, so that the models cost little memory.

use super::word_piece::WordPiece;
use std::sync::OnceLock;

// Not constants: the compiler would copy those into what it notes for other crates.
pub(super) static TOKENIZER: &[u8] =
    include_bytes!("../../../../assets/quipu-es-en/tokenizer.json");
pub(crate) static STATIC_TABLE: &[u8] =
    include_bytes!("../../../../assets/quipu-es-en/static/model.safetensors");
/// The table of tokens that all transformers share.
pub(super) static TOKENS: &[u8] =
    include_bytes!("../../../../assets/quipu-es-en/encoder/model-00001-of-00002.safetensors");
pub(crate) static ENCODER_LAYERS: &[u8] =
    include_bytes!("../../../../assets/quipu-es-en/encoder/model-00002-of-00002.safetensors");
pub(crate) static JUDGE: &[u8] = include_bytes!("../../../../assets/quipu-judge/model.safetensors");
pub(crate) static READER: &[u8] =
    include_bytes!("../../../../assets/quipu-reader/model.safetensors");
pub(crate) static READER_LABELS: &[u8] =
    include_bytes!("../../../../assets/quipu-reader/labels.json");

/// The tokenizer that all models share, read when the first text comes.
pub(crate) fn words() -> Result<&'static WordPiece, String> {
    static WORDS: OnceLock<Result<WordPiece, String>> = OnceLock::new();
    WORDS
        .get_or_init(|| WordPiece::read(TOKENIZER).map_err(|e| e.to_string()))
        .as_ref()
        .map_err(Clone::clone)
}
