//! Ids in the shapes that the channels give them.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use uuid::Uuid;

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::customer::SimulatedCustomer;
use crate::signature::hmac_sha256;

/// An id for a message. Those of WhatsApp and `TikTok` hold slashes and equals signs at times.
pub(crate) fn message_id(channel: SimulatedChannel) -> String {
    let random = Uuid::now_v7();
    let bytes = [&[0x1d, 0x0b, 0xff][..], random.as_bytes(), &[0x00]].concat();
    match channel {
        SimulatedChannel::Whatsapp => format!("wamid.{}", STANDARD.encode(bytes)),
        SimulatedChannel::Messenger => format!("m_{}", URL_SAFE_NO_PAD.encode(bytes)),
        SimulatedChannel::Instagram => format!("aWdf{}", URL_SAFE_NO_PAD.encode(bytes)),
        SimulatedChannel::Tiktok => STANDARD.encode(bytes),
        SimulatedChannel::Voice => random.to_string(),
    }
}

/// A number that nobody can guess, as Graph numbers files.
pub(crate) fn file_id() -> String {
    Uuid::now_v7().as_u128().to_string()
}

pub(crate) fn trace_id() -> String {
    URL_SAFE_NO_PAD.encode(&Uuid::now_v7().as_bytes()[8..])
}

/// `TikTok` names a conversation, and not whom it is with.
pub(crate) fn conversation_id(account: &SimulatedAccount, customer: &SimulatedCustomer) -> String {
    let digest = hmac_sha256(account.account_id.as_bytes(), &[customer.id.as_bytes()]);
    STANDARD.encode(&digest[..20])
}
