//! The weights that were fitted for each model, and for questions without a vector.

use super::{Certainty, Meaning, Profile};

/// The cosines where a chunk has no vector: what a random one has.
const TYPICAL_ENCODER: f32 = 0.07;
const TYPICAL_QUICK: f32 = 0.05;

pub(super) const WORDS_PROFILE: Profile = Profile {
    meaning: Meaning::None,
    coverage: 0.2,
    relevance: 1.5,
    nearness: 0.0,
    certainty: Certainty {
        base: 0.42,
        rank: 3.68,
        missing: -0.78,
        strange: -1.09,
        ideas: 1.55,
        chunks: -0.18,
    },
};

/// The weakest model, so words weigh most beside it.
pub(super) const STATIC_PROFILE: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_QUICK),
    coverage: 0.2,
    relevance: 1.5,
    nearness: 0.0,
    certainty: Certainty {
        base: -0.28,
        rank: 2.99,
        missing: -0.71,
        strange: -0.57,
        ideas: 1.31,
        chunks: -0.17,
    },
};

pub(super) const ENCODER_PROFILE: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_ENCODER),
    coverage: 0.3,
    relevance: 0.75,
    nearness: 0.0,
    certainty: Certainty {
        base: -0.37,
        rank: 3.35,
        missing: -0.68,
        strange: -0.75,
        ideas: 1.31,
        chunks: -0.16,
    },
};

/// The encoder where words were compared one by one too.
pub(super) const ENCODER_COMPARED: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_ENCODER),
    coverage: 0.2,
    relevance: 0.5,
    nearness: 1.0,
    certainty: Certainty {
        base: -0.90,
        rank: 2.7,
        missing: -0.68,
        strange: -0.75,
        ideas: 1.31,
        chunks: -0.16,
    },
};

pub(super) const STATIC_COMPARED: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_QUICK),
    coverage: 0.2,
    relevance: 0.5,
    nearness: 1.0,
    certainty: Certainty {
        base: -0.87,
        rank: 2.7,
        missing: -0.71,
        strange: -0.57,
        ideas: 1.31,
        chunks: -0.17,
    },
};

/// Fitted on `static` and `encoder` together, as if nothing were known of either.
pub(super) const GENERIC_PROFILE: Profile = Profile {
    meaning: Meaning::Standing,
    coverage: 0.2,
    relevance: 1.5,
    nearness: 0.0,
    certainty: Certainty {
        base: -0.82,
        rank: 3.71,
        missing: -0.75,
        strange: -1.16,
        ideas: 1.45,
        chunks: -0.14,
    },
};

/// Meaning alone says less than both: it refuses half as many of what is near and does not answer.
pub(super) const STATIC_MEANING: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_QUICK),
    coverage: 0.0,
    relevance: 0.0,
    nearness: 0.0,
    certainty: Certainty {
        base: -0.08,
        rank: 12.74,
        missing: 0.0,
        strange: 0.0,
        ideas: -0.33,
        chunks: -0.08,
    },
};

pub(super) const ENCODER_MEANING: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_ENCODER),
    coverage: 0.0,
    relevance: 0.0,
    nearness: 0.0,
    certainty: Certainty {
        base: -0.55,
        rank: 10.67,
        missing: 0.0,
        strange: 0.0,
        ideas: -0.08,
        chunks: -0.02,
    },
};

pub(super) const ENCODER_COMPARED_MEANING: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_ENCODER),
    coverage: 0.0,
    relevance: 0.0,
    nearness: 1.2,
    certainty: Certainty {
        base: -2.94,
        rank: 8.0,
        missing: 0.0,
        strange: 0.0,
        ideas: -0.08,
        chunks: -0.02,
    },
};

pub(super) const STATIC_COMPARED_MEANING: Profile = Profile {
    meaning: Meaning::Plain(TYPICAL_QUICK),
    coverage: 0.0,
    relevance: 0.0,
    nearness: 1.2,
    certainty: Certainty {
        base: -2.12,
        rank: 8.0,
        missing: 0.0,
        strange: 0.0,
        ideas: -0.33,
        chunks: -0.08,
    },
};

/// How far the best stands out tells little of what is off the topic: .16 of that comes back empty.
pub(super) const GENERIC_MEANING: Profile = Profile {
    meaning: Meaning::Standing,
    coverage: 0.0,
    relevance: 0.0,
    nearness: 0.0,
    certainty: Certainty {
        base: -0.57,
        rank: 7.75,
        missing: 0.0,
        strange: 0.0,
        ideas: -0.07,
        chunks: -0.20,
    },
};
