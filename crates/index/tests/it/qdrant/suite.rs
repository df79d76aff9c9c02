//! On a real server it does what every engine must do.

use super::subject::Remote;

quipu_testkit::engine_suite!(match Remote::new() {
    Some(remote) => remote,
    None => return,
});

/// The same where nothing is small enough to be looked at whole.
mod with_candidates {
    use super::Remote;

    quipu_testkit::engine_suite!(match Remote::with(|settings| {
        settings.exact_matches = 1;
        settings.exact_vectors = 1;
    }) {
        Some(remote) => remote,
        None => return,
    });
}
