//! Questions about the business that its own tables answer: prices, places, hours, people.

mod attending;
mod delivery;
mod duration;
mod halves;
mod hours;
mod prices;
mod promotions;

use super::folded::{begins, field, items, says};
use super::scene::{Draft, Scene};
use super::transcript::asks_cancelling;
use super::voice::MOST_TOLD;
use quipu_core::Result;
use quipu_core::business::PolicyKind;
use serde_json::{Value, json};

impl Scene<'_> {
    /// Where the business is.
    pub(super) async fn tell_location(&self, draft: &mut Draft) -> Result<()> {
        let branches = self.branches().await?;
        let named = self
            .branch_in(self.text, &branches)
            .filter(|_| branches.len() > 1);
        let several = branches.len() > 1;
        let told = branches.iter().filter(|branch| {
            let wanted = named
                .as_deref()
                .is_none_or(|name| field(branch, "name") == Some(name));
            wanted && field(branch, "address").is_some()
        });
        let before = draft.parts.len();
        for branch in told.take(MOST_TOLD) {
            let (address, city) = (
                field(branch, "address").unwrap_or_default(),
                field(branch, "city").unwrap_or_default(),
            );
            let repeated = address.contains(city);
            let directions = field(branch, "directions")
                .unwrap_or_default()
                .trim_end_matches('.');
            let heard = self.setting.medium == quipu_core::agent::Medium::Voice;
            let filling = [
                ("branch", field(branch, "name").unwrap_or_default()),
                ("address", address.trim_end_matches('.')),
                ("city", if repeated { "" } else { city }),
                ("directions", directions),
                (
                    "map",
                    if heard {
                        ""
                    } else {
                        field(branch, "google_maps_url").unwrap_or_default()
                    },
                ),
            ];
            draft.say(
                self.voice,
                if several {
                    "location.branch"
                } else {
                    "location.one"
                },
                &filling,
            );
        }
        // What no table says may stand in a document.
        if draft.parts.len() == before && !self.tell_knowledge(draft).await? {
            self.say_with_contact(draft, "no_information", &[]).await;
        }
        Ok(())
    }

    /// Whether the message asks for the place itself.
    pub(super) fn asks_place(&self) -> bool {
        const PLACE: &[&str] = &[
            "donde",
            "direcc",
            "ubic",
            "address",
            "where",
            "locat",
            "queda",
            "mapa",
            "map",
            "llegar",
            "llego",
            "sucursal",
            "branch",
            "directions",
        ];
        begins(&self.words, PLACE)
    }

    /// Whether the message asks who works there.
    pub(super) fn asks_staff(&self) -> bool {
        let who = says(
            &self.words,
            &[
                "quien atiende",
                "quienes atienden",
                "quien me atiende",
                "quien es el doctor",
                "quien es la doctora",
                "que doctores",
                "que doctor",
                "que especialistas",
                "su equipo",
                "quien hace",
                "who works",
                "which doctors",
                "who is the doctor",
            ],
        );
        who || begins(&self.words, &["especialistas", "doctores"])
    }

    /// Who works there.
    pub(super) async fn tell_staff(&self, draft: &mut Draft) -> Result<()> {
        let told = self.office.call("get_staff_info", json!({})).await?;
        let told: Vec<String> = items(&told, "staff")
            .iter()
            .take(MOST_TOLD)
            .filter_map(|person| {
                let name = field(person, "name")?;
                let does = field(person, "specialty").or(field(person, "role"));
                Some(does.map_or_else(|| name.to_owned(), |does| format!("{name} ({does})")))
            })
            .collect();
        if told.is_empty() {
            if !self.tell_knowledge(draft).await? {
                draft.say(self.voice, "staff.none", &[]);
            }
        } else {
            draft.say(
                self.voice,
                "staff.list",
                &[("list", &self.voice.and(&told))],
            );
        }
        Ok(())
    }

    /// The policy that the message asks for, if it asks for one.
    pub(super) fn policy_asked(&self) -> Option<PolicyKind> {
        let words = &self.words;
        if asks_cancelling(words) {
            return Some(PolicyKind::Cancellation);
        }
        let asks = self.text.contains('?')
            || begins(
                words,
                &[
                    "politic", "policy", "cobr", "costo", "que pasa", "puedo", "tienen", "cuanto",
                    "dan", "hacen",
                ],
            );
        if !asks {
            return None;
        }
        let about = |starts: &[&str]| begins(words, starts);
        let fee = about(&[
            "cobr", "costo", "cargo", "penal", "politic", "fee", "charge", "policy", "gratis",
            "cuanto", "multa", "cuesta",
        ]);
        if fee && about(&["cancel"]) {
            return Some(PolicyKind::Cancellation);
        }
        if fee
            && about(&[
                "mover",
                "mueve",
                "cambiar",
                "cambio",
                "reagend",
                "reprogram",
                "reschedul",
            ])
        {
            return Some(PolicyKind::Rescheduling);
        }
        if about(&["garanti", "warrant", "guarantee"]) {
            return Some(PolicyKind::Warranty);
        }
        if about(&["devoluc", "reembols", "reintegr", "refund"]) {
            return Some(PolicyKind::Refunds);
        }
        about(&["privacidad", "privacy"]).then_some(PolicyKind::Privacy)
    }

    /// Tells a policy in the words of the business. `false` when there is none.
    pub(super) async fn tell_policy(&self, draft: &mut Draft, kind: PolicyKind) -> bool {
        let asked = json!({ "policy_type": kind.as_str() });
        let Ok(told) = self.office.call("get_policy", asked).await else {
            return false;
        };
        let before = draft.parts.len();
        for policy in items(&told, "policies").iter().take(2) {
            let text = field(policy, "short_version").or(field(policy, "policy"));
            if let Some(text) = text {
                self.repeat(draft, quipu_core::text::preview(text, 600));
            }
        }
        draft.parts.len() > before
    }
}

fn money(value: &Value) -> Option<quipu_core::money::Money> {
    serde_json::from_value(value.clone()).ok()
}
