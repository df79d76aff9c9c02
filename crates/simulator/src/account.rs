//! The accounts that a business has at the channels.

use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// The name of every header and id has to fit into a line.
pub(crate) const MOST_ID_CHARS: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SimulatedChannel {
    Whatsapp,
    Instagram,
    Messenger,
    Tiktok,
    Voice,
}

/// An account at a channel, with the secrets that the business connected it with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedAccount {
    pub channel: SimulatedChannel,
    /// What messages are sent from: the id of the number, of the page, of the account.
    pub account_id: String,
    /// The account that holds it, such as the WhatsApp Business Account.
    #[serde(default)]
    pub parent_id: Option<String>,
    /// What the business shows to the channel.
    pub token: String,
    /// What the channel signs its deliveries with. Vapi sends it as it is.
    pub app_secret: String,
    /// What the channel shows to the business before it delivers anything.
    pub verify_token: String,
    /// Where deliveries go.
    pub webhook_url: String,
    /// How customers see it.
    #[serde(default)]
    pub name: Option<String>,
    /// The number that customers see, for WhatsApp and voice.
    #[serde(default)]
    pub phone: Option<String>,
    #[serde(default = "SimulatedTemplate::examples")]
    pub templates: Vec<SimulatedTemplate>,
}

/// A message that WhatsApp has approved, or has not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedTemplate {
    pub name: String,
    /// Such as `es` or `es_MX`.
    pub language: String,
    /// `UTILITY`, `MARKETING` or `AUTHENTICATION`.
    pub category: String,
    /// `APPROVED`, `PENDING`, `REJECTED`, `PAUSED` or `DISABLED`.
    pub status: String,
    /// With {{1}}, {{2}} … where something is filled in.
    pub body: String,
    /// What stands on the buttons that answer.
    #[serde(default)]
    pub buttons: Vec<String>,
}

impl SimulatedAccount {
    /// An account with secrets that are made up from its id.
    #[must_use]
    pub fn new(
        channel: SimulatedChannel,
        account_id: impl Into<String>,
        webhook_url: impl Into<String>,
    ) -> Self {
        let account_id = account_id.into();
        Self {
            channel,
            parent_id: (channel == SimulatedChannel::Whatsapp).then(|| format!("9{account_id}")),
            token: format!("token-of-{account_id}"),
            app_secret: format!("app-secret-of-{account_id}"),
            verify_token: format!("verify-token-of-{account_id}"),
            webhook_url: webhook_url.into(),
            name: None,
            phone: None,
            templates: SimulatedTemplate::examples(),
            account_id,
        }
    }

    pub(crate) fn parent(&self) -> &str {
        self.parent_id.as_deref().unwrap_or(&self.account_id)
    }

    pub(crate) fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or("Negocio de prueba")
    }

    /// Digits with the country code.
    pub(crate) fn shown_phone(&self) -> &str {
        self.phone.as_deref().unwrap_or("51900000001")
    }

    /// What is wrong with it, if anything is.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let is_id = |id: &str| {
            (1..=MOST_ID_CHARS).contains(&id.len())
                && id
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
        };
        let secrets = [&self.token, &self.app_secret, &self.verify_token];
        let is_web = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        if !is_id(&self.account_id) || !self.parent_id.as_deref().is_none_or(is_id) {
            Some("an id is 1 to 200 letters, digits, points, hyphens or underscores")
        } else if secrets
            .iter()
            .any(|secret| secret.is_empty() || secret.len() > 500)
        {
            Some("token, app_secret and verify_token are 1 to 500 characters")
        } else if !Url::parse(&self.webhook_url).is_ok_and(is_web) {
            Some("webhook_url is no address that begins with http:// or https://")
        } else if self.templates.len() > 100 {
            Some("there are at most 100 templates")
        } else {
            None
        }
    }
}

/// Without the secrets, which are likely to be printed where they should not be.
impl fmt::Debug for SimulatedAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimulatedAccount")
            .field("channel", &self.channel)
            .field("account_id", &self.account_id)
            .finish_non_exhaustive()
    }
}

impl SimulatedTemplate {
    /// A template that was approved as a useful one.
    #[must_use]
    pub fn approved(name: &str, language: &str, body: &str) -> Self {
        Self {
            name: name.to_owned(),
            language: language.to_owned(),
            category: "UTILITY".to_owned(),
            status: "APPROVED".to_owned(),
            body: body.to_owned(),
            buttons: Vec::new(),
        }
    }

    #[must_use]
    pub fn examples() -> Vec<Self> {
        let mut reminder = Self::approved(
            "recordatorio_de_cita",
            "es",
            "Hola {{1}}, te recordamos tu cita del {{2}}.",
        );
        reminder.buttons = vec!["Confirmar".to_owned(), "Cambiar".to_owned()];
        let mut offer = Self::approved("oferta_del_mes", "es", "Hola {{1}}, esta es la oferta.");
        offer.category = "MARKETING".to_owned();
        let mut paused = Self::approved("aviso_en_pausa", "es", "Hola {{1}}.");
        paused.status = "PAUSED".to_owned();
        let hello = Self::approved("hello_world", "en_US", "Hello World");
        vec![reminder, offer, paused, hello]
    }

    /// How many values its body takes.
    pub(crate) fn placeholders(&self) -> usize {
        (1..=100)
            .take_while(|n| self.body.contains(&format!("{{{{{n}}}}}")))
            .count()
    }
}
