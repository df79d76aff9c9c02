//! What the customer says of themselves, kept as soon as it is said.

use super::folded::{field, folded, says};
use super::person::{self, Expected};
use super::scene::Scene;
use super::transcript::Heard;
use crate::supervisor::Awaiting;
use serde_json::{Map, Value, json};

/// Who the customer is, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Customer {
    pub(super) name: Option<String>,
    pub(super) phone: Option<String>,
    pub(super) email: Option<String>,
}

/// What announces a name, whatever was asked.
const PLAINLY: &[&str] = &[
    "a nombre",
    "mi nombre es",
    "me llamo",
    "my name is",
    "in the name of",
    "under the name",
    "soy",
    "i m",
    "this is",
];

impl Scene<'_> {
    /// Reads who the customer is from everything they wrote. `known` are names of other things.
    pub(super) fn customer(&self, known: &[String]) -> Customer {
        self.customer_by(&self.state.heard, known)
    }

    /// The same from some of it.
    fn customer_by(&self, heard: &[Heard], known: &[String]) -> Customer {
        let mut customer = Customer::default();
        for heard in heard {
            let Some(turn) = self.messages.get(heard.at) else {
                continue;
            };
            let found = self.customer_in(
                &turn.text,
                heard.awaiting,
                !known.is_empty() && heard.goes_on,
                known,
            );
            let before = customer
                .name
                .as_deref()
                .or(self.setting.customer_name.as_deref());
            let whole = before.and_then(|known| person::completed(&turn.text, known));
            let whole = whole.filter(|_| heard.awaiting != Some(Awaiting::TaxData));
            customer.name = whole.or(found.name).or(customer.name);
            customer.phone = found.phone.or(customer.phone);
            customer.email = found.email.or(customer.email);
        }
        customer.name = customer.name.or_else(|| self.setting.customer_name.clone());
        customer
    }

    fn customer_in(
        &self,
        text: &str,
        awaiting: Option<Awaiting>,
        arranging: bool,
        known: &[String],
    ) -> Customer {
        let expected = match awaiting {
            Some(Awaiting::Name | Awaiting::Phone) => Expected::Asked,
            _ if arranging => Expected::Perhaps,
            _ => Expected::No,
        };
        // What is said about tax data or an address has names of its own.
        let apart = matches!(
            awaiting,
            Some(Awaiting::TaxData | Awaiting::Address | Awaiting::OrderItems)
        );
        let mut words: Vec<String> = known.iter().flat_map(|name| words_of(name)).collect();
        words.extend(words_of(&self.setting.agent_name));
        words.extend(words_of(&self.setting.company_name));
        // Whoever says whose it is has said it, whatever was asked.
        let tax = awaiting == Some(Awaiting::TaxData);
        let plainly = text.split([',', ';', '\n']).filter(|part| {
            let words = folded(part);
            says(&words, PLAINLY) || person::phone(part).is_some()
        });
        let plainly = plainly.collect::<Vec<_>>().join(", ");
        let name = if apart {
            person::name(&plainly, Expected::No, &words)
        } else {
            person::name(text, expected, &words)
        };
        Customer {
            name: name.filter(|_| !tax),
            phone: person::phone(text).filter(|_| !tax),
            email: person::email(text).filter(|_| !tax),
        }
    }

    /// Keeps what the last message plainly says of the customer. That it could not be kept says nothing to
    /// the customer, who has said it and will be asked again.
    pub(super) async fn keep_contacts(&self) {
        if !self.setting.has_customer {
            return;
        }
        let awaiting = self.state.awaiting;
        let mut found = self.customer_in(self.text, awaiting, false, &[]);
        if found.name.is_some() && awaiting == Some(Awaiting::Name) {
            // Who answers another question first says no name.
            let known = self.branch_names().await;
            found.name = self.customer_in(self.text, awaiting, false, &known).name;
        }
        // A part of the name that was known comes with the rest of it.
        let heard = &self.state.heard;
        let before = &heard[..heard.len().saturating_sub(1)];
        let known = self.customer_by(before, &[]).name;
        let whole = known.and_then(|known| person::completed(self.text, &known));
        found.name = whole
            .filter(|_| awaiting != Some(Awaiting::TaxData))
            .or(found.name);
        let mut arguments = Map::new();
        for (field, value) in [
            ("name", found.name),
            ("phone", found.phone),
            ("email", found.email),
        ] {
            if let Some(value) = value {
                arguments.insert(field.to_owned(), json!(value));
            }
        }
        let same =
            arguments.get("name").and_then(Value::as_str) == self.setting.customer_name.as_deref();
        if arguments.is_empty() || (arguments.len() == 1 && same && arguments.contains_key("name"))
        {
            return;
        }
        let _ = self
            .office
            .call("update_lead_info", Value::Object(arguments))
            .await;
    }
}

impl Scene<'_> {
    /// The names of the branches, which nobody has who books there.
    pub(super) async fn branch_names(&self) -> Vec<String> {
        let branches = self.branches().await.unwrap_or_default();
        let names = branches.iter().filter_map(|branch| field(branch, "name"));
        names.map(str::to_owned).collect()
    }

    /// Keeps the name that something was made in, where the customer was not known by it.
    pub(super) async fn keep_name(&self, name: &str) {
        let known = self.setting.customer_name.as_deref() == Some(name);
        let asked = self
            .state
            .heard
            .iter()
            .any(|heard| heard.awaiting == Some(Awaiting::Name));
        if self.setting.has_customer && !known && !asked && !name.is_empty() {
            let asked = json!({ "name": name });
            let _ = self.office.call("update_lead_info", asked).await;
        }
    }
}

fn words_of(name: &str) -> Vec<String> {
    let words = folded(name);
    words.split(' ').map(str::to_owned).collect()
}
