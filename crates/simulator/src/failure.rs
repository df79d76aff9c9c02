//! Failures that the stand-ins are told to have.

use crate::account::SimulatedChannel;
use serde::{Deserialize, Serialize};

/// How a failure shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureManner {
    /// The request is answered with it.
    #[default]
    Answer,
    /// The message is taken, and a state says later that it failed. WhatsApp alone does so.
    Later,
    /// The message is taken, and the connection breaks before that was said.
    BrokenConnection,
}

/// What a channel answers instead of sending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedFailure {
    pub status: u16,
    pub code: i64,
    #[serde(default)]
    pub subcode: Option<i64>,
    pub message: String,
    /// Seconds.
    #[serde(default)]
    pub retry_after: Option<u64>,
    #[serde(default)]
    pub manner: FailureManner,
}

/// A failure, and how often it is still to come.
#[derive(Clone, Debug)]
pub(crate) struct PlannedFailure {
    pub(crate) failure: SimulatedFailure,
    pub(crate) times: usize,
}

impl SimulatedFailure {
    #[must_use]
    pub fn new(status: u16, code: i64, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            subcode: None,
            message: message.into(),
            retry_after: None,
            manner: FailureManner::Answer,
        }
    }

    /// The same, told by a state after the message was taken.
    #[must_use]
    pub fn later(mut self) -> Self {
        self.manner = FailureManner::Later;
        self
    }

    /// The same message is taken, and nobody is told.
    #[must_use]
    pub fn broken_connection() -> Self {
        let mut failure = Self::new(200, 0, "the connection breaks after the message was taken");
        failure.manner = FailureManner::BrokenConnection;
        failure
    }

    #[must_use]
    pub const fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The failures that a channel documents.
    #[must_use]
    pub fn documented(channel: SimulatedChannel) -> Vec<Self> {
        let table = match channel {
            SimulatedChannel::Whatsapp => WHATSAPP,
            SimulatedChannel::Messenger => MESSENGER,
            SimulatedChannel::Instagram => INSTAGRAM,
            SimulatedChannel::Tiktok => TIKTOK,
            SimulatedChannel::Voice => return Vec::new(),
        };
        let failures = table.iter().map(|(status, code, subcode, message)| {
            let mut failure = Self::new(*status, *code, *message);
            failure.subcode = *subcode;
            failure
        });
        failures.chain([Self::broken_connection()]).collect()
    }

    /// A documented failure by its code.
    #[must_use]
    pub fn by_code(channel: SimulatedChannel, code: i64) -> Option<Self> {
        let documented = Self::documented(channel);
        documented.into_iter().find(|failure| failure.code == code)
    }
}

type Documented = (u16, i64, Option<i64>, &'static str);

const WHATSAPP: &[Documented] = &[
    (401, 0, None, "AuthException"),
    (400, 3, None, "API Method"),
    (400, 4, None, "API Too Many Calls"),
    (403, 10, None, "Permission Denied"),
    (400, 33, None, "Parameter value is not valid"),
    (400, 100, None, "Invalid parameter"),
    (
        401,
        190,
        Some(463),
        "Error validating access token: Session has expired",
    ),
    (403, 200, None, "API Permission"),
    (
        403,
        368,
        None,
        "Temporarily blocked for policies violations",
    ),
    (400, 80007, None, "Rate limit issues"),
    (429, 130_429, None, "Rate limit hit"),
    (400, 130_472, None, "User's number is part of an experiment"),
    (
        403,
        130_497,
        None,
        "Business account is restricted from messaging users in this country",
    ),
    (500, 131_000, None, "Something went wrong"),
    (403, 131_005, None, "Access denied"),
    (400, 131_008, None, "Required parameter is missing"),
    (400, 131_009, None, "Parameter value is not valid"),
    (503, 131_016, None, "Service unavailable"),
    (400, 131_021, None, "Recipient cannot be sender"),
    (400, 131_026, None, "Message undeliverable"),
    (403, 131_031, None, "Account has been locked"),
    (
        400,
        131_037,
        None,
        "Display name approval is needed before the number can send",
    ),
    (400, 131_042, None, "Business eligibility payment issue"),
    (500, 131_045, None, "Incorrect certificate"),
    (400, 131_047, None, "Re-engagement message"),
    (429, 131_048, None, "Spam rate limit hit"),
    (
        400,
        131_049,
        None,
        "This message was not delivered to maintain healthy ecosystem engagement.",
    ),
    (
        400,
        131_050,
        None,
        "User has stopped marketing messages from the business",
    ),
    (400, 131_051, None, "Unsupported message type"),
    (400, 131_052, None, "Media download error"),
    (400, 131_053, None, "Media upload error"),
    (
        429,
        131_056,
        None,
        "(Business Account, Consumer Account) pair rate limit hit",
    ),
    (500, 131_057, None, "Account in maintenance mode"),
    (
        400,
        131_062,
        None,
        "Business-scoped user ID recipients are not supported for this message",
    ),
    (
        400,
        132_000,
        None,
        "Number of parameters does not match the expected number of params",
    ),
    (
        404,
        132_001,
        None,
        "Template name does not exist in the translation",
    ),
    (400, 132_005, None, "Translated text too long"),
    (400, 132_007, None, "Template content policy violated"),
    (
        400,
        132_012,
        None,
        "Parameter format does not match format in the created template",
    ),
    (400, 132_015, None, "Template is paused"),
    (400, 132_016, None, "Template is disabled"),
    (
        400,
        132_018,
        None,
        "There is an issue with one or more template parameters",
    ),
    (400, 133_010, None, "Phone number not registered"),
    (400, 135_000, None, "Generic user error"),
];

const MESSENGER: &[Documented] = &[
    (500, 1, Some(99), "An unknown error occurred"),
    (500, 2, None, "Service temporarily unavailable"),
    (400, 4, Some(2_018_022), "Application request limit reached"),
    (
        400,
        10,
        Some(2_018_278),
        "This message is sent outside of allowed window.",
    ),
    (400, 100, Some(2_018_001), "No matching user found"),
    (401, 190, Some(460), "Error validating access token"),
    (
        403,
        200,
        Some(1_545_041),
        "This person isn't available right now.",
    ),
    (
        403,
        230,
        None,
        "Requires pages_messaging permission to manage the object",
    ),
    (400, 551, None, "This person isn't available right now."),
    (
        400,
        613,
        None,
        "Calls to this api have exceeded the rate limit.",
    ),
    (
        400,
        1200,
        None,
        "Temporary send message failure. Please try again later.",
    ),
];

const INSTAGRAM: &[Documented] = &[
    (500, 1, Some(99), "An unknown error occurred"),
    (500, 2, None, "Service temporarily unavailable"),
    (400, 4, None, "Application request limit reached"),
    (
        400,
        10,
        Some(2_534_022),
        "This message is sent outside of allowed window.",
    ),
    (
        400,
        100,
        Some(2_534_014),
        "The requested user cannot be found.",
    ),
    (401, 190, Some(460), "Error validating access token"),
    (403, 200, None, "Permissions error"),
    (
        400,
        551,
        Some(1_545_041),
        "This person isn't available right now.",
    ),
    (
        400,
        613,
        None,
        "Calls to this api have exceeded the rate limit.",
    ),
];

/// `TikTok` says everything with status 200.
const TIKTOK: &[Documented] = &[
    (200, 40_001, None, "No permission to operate the account"),
    (200, 40_002, None, "Invalid parameters"),
    (
        200,
        40_064,
        None,
        "The recipient has blocked messages from the account",
    ),
    (200, 40_100, None, "Requests made too frequently"),
    (
        200,
        40_105,
        None,
        "Access token is incorrect or has been revoked.",
    ),
    (200, 50_000, None, "System error"),
    (200, 51_065, None, "Retry the call"),
];
