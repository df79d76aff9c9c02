//! How much is done before a test believes what it sees.

/// So much of something with `QUIPU_TEST_THOROUGH=1`, and a quarter of it otherwise.
pub(crate) fn thorough(full: usize) -> usize {
    if std::env::var_os("QUIPU_TEST_THOROUGH").is_some() {
        full
    } else {
        full.div_ceil(4)
    }
}
