//! An account of a business at a channel, with what it takes to speak through it.

use quipu_core::lead::Channel;
use secrecy::SecretString;

/// Where the servers of the channels are. They belong to the installation: a tenant's key is sent
/// nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelEndpoints {
    /// Graph, for WhatsApp, Messenger and Facebook pages, such as `https://graph.facebook.com`.
    pub graph: String,
    /// Graph for Instagram accounts that were connected with Instagram's own sign-in.
    pub instagram: String,
    pub tiktok: String,
    pub vapi: String,
    /// The version of Graph, such as `v26.0`.
    pub graph_version: String,
}

/// One connected account.
#[derive(Clone)]
pub struct ChannelAccount {
    pub channel: Channel,
    /// The number, page or account, as the channel calls it: what messages are sent from.
    pub account_id: String,
    /// The account that holds it, such as the WhatsApp Business Account.
    pub parent_id: Option<String>,
    pub token: SecretString,
    /// What deliveries are signed with. Where it is there, what is asked of Graph carries a proof of it.
    pub app_secret: Option<SecretString>,
}
