//! The files of the bundled model, as they lie in the binary.
//!
//! They are read where they are: the operating system brings in the pages that are used and may
//! drop them again, so that the model costs little memory.

pub(super) const TOKENIZER: &[u8] = include_bytes!("../../../../assets/quipu-es-en/tokenizer.json");
pub(super) const STATIC_TABLE: &[u8] =
    include_bytes!("../../../../assets/quipu-es-en/static/model.safetensors");
