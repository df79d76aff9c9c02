//! It does what every engine must do: on the server that the environment names, and without one on
//! a stand-in, which cannot tell whether Qdrant understands what it is asked.

use super::subject::{Remote, StandIn};

/// Where nothing is small enough to be looked at whole.
fn candidates(settings: &mut quipu_index::QdrantSettings) {
    settings.exact_matches = 1;
    settings.exact_vectors = 1;
}

mod on_a_server {
    use super::Remote;

    quipu_testkit::engine_suite!(match Remote::new() {
        Some(remote) => remote,
        None => return,
    });
}

mod on_a_server_by_candidates {
    use super::{Remote, candidates};

    quipu_testkit::engine_suite!(match Remote::with(candidates) {
        Some(remote) => remote,
        None => return,
    });
}

mod on_a_stand_in {
    use super::StandIn;

    quipu_testkit::engine_suite!(StandIn::open(|_| {}).await);
}

mod on_a_stand_in_by_candidates {
    use super::{StandIn, candidates};

    quipu_testkit::engine_suite!(StandIn::open(candidates).await);
}
