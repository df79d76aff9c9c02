//! What stands around messages and states: which number they belong to, and who is named.

use super::fields::{Reason, filled, id, name, phone};
use crate::inbound::SenderIdentity;
use serde_json::Value;

pub(super) struct Envelope<'v> {
    /// The id of our number.
    pub(super) account_id: String,
    contacts: &'v [Value],
    /// A single message came, so that a single contact is whoever wrote it.
    is_single: bool,
}

impl<'v> Envelope<'v> {
    /// Reads what stands around a list.
    pub(super) fn read(value: &'v Value, list: &str) -> Result<Self, Reason> {
        let metadata = value.get("metadata").unwrap_or(&Value::Null);
        let account_id =
            id(metadata, "phone_number_id")?.ok_or("the number that it belongs to is not there")?;
        let items = |key: &str| value.get(key).and_then(Value::as_array);
        Ok(Self {
            account_id,
            contacts: items("contacts").map_or(&[], Vec::as_slice),
            // The only contact beside what the business wrote may be the business.
            is_single: list != "message_echoes" && items(list).is_some_and(|list| list.len() == 1),
        })
    }

    /// Completes what an item says of somebody with what the contacts say.
    pub(super) fn identity(
        &self,
        phone_said: Option<String>,
        user_id_said: Option<String>,
    ) -> Result<SenderIdentity, Reason> {
        let mut identity = SenderIdentity {
            user_id: user_id_said,
            phone: phone_said,
            name: None,
        };
        let Some(contact) = self.contact(&identity) else {
            return Ok(identity);
        };
        if identity.user_id.is_none() {
            identity.user_id = id(contact, "user_id")?;
        }
        if identity.phone.is_none() {
            identity.phone = phone(contact, "wa_id");
        }
        let profile = contact.get("profile").unwrap_or(&Value::Null);
        identity.name = name(profile, "name").or_else(|| name(profile, "username"));
        Ok(identity)
    }

    fn contact(&self, identity: &SenderIdentity) -> Option<&'v Value> {
        let same = |contact: &Value, key: &str, said: &Option<String>| {
            said.is_some() && filled(contact, key) == said.as_deref()
        };
        let is_theirs = |contact: &&Value| {
            same(contact, "user_id", &identity.user_id) || same(contact, "wa_id", &identity.phone)
        };
        let named = self.contacts.iter().find(is_theirs);
        named.or_else(|| self.only_contact(identity))
    }

    /// The one contact there is, unless it is known to be somebody else's.
    ///
    /// Its number may differ from the one the message is from: WhatsApp says that both are not always
    /// written alike. Where several messages came, only one without any sender is taken to be theirs.
    fn only_contact(&self, identity: &SenderIdentity) -> Option<&'v Value> {
        let [only] = self.contacts else {
            return None;
        };
        let is_nobody = identity.user_id.is_none() && identity.phone.is_none();
        let is_another = identity.user_id.is_some() && filled(only, "user_id").is_some();
        ((self.is_single || is_nobody) && !is_another).then_some(only)
    }
}
