//! Asking for an invoice: the tax data, gathered over as many messages as it takes.

use super::folded::{folded, says};
use super::person::{self, Expected};
use super::scene::{Draft, Scene};
use quipu_core::lead::Temperature;
use quipu_core::tax::{CfdiUse, Rfc, TaxRegime};
use quipu_core::{ErrorCode, Result};
use serde_json::json;

const LONGEST_NAME: usize = 200;
/// A name of the tables needs this many letters to be recognised in a sentence.
const LONGEST_SHORT_NAME: usize = 12;

/// What an invoice needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TaxData {
    folio: Option<String>,
    rfc: Option<String>,
    name: Option<String>,
    regime: Option<&'static str>,
    usage: Option<&'static str>,
    email: Option<String>,
    postal_code: Option<String>,
}

impl Scene<'_> {
    /// Takes the next step of asking for an invoice.
    pub(super) async fn invoice(&self, draft: &mut Draft) -> Result<()> {
        let mut data = TaxData::default();
        for heard in self
            .state
            .heard
            .iter()
            .filter(|heard| heard.at >= self.state.since)
        {
            if let Some(turn) = self.messages.get(heard.at) {
                data.take(&turn.text);
            }
        }
        let missing = self.missing(&data);
        if !missing.is_empty() {
            draft.say(
                self.voice,
                "ask.invoice",
                &[("list", &self.voice.and(&missing))],
            );
            return Ok(());
        }
        let mut asked = json!({
            "folio": data.folio, "rfc": data.rfc, "name": data.name, "tax_regime": data.regime,
            "cfdi_use": data.usage, "email": data.email,
        });
        if let Some(code) = &data.postal_code {
            asked["postal_code"] = json!(code);
        }
        let folio = data.folio.as_deref().unwrap_or_default();
        match self.office.call("request_invoice", asked).await {
            Ok(_) => {
                let email = data.email.as_deref().unwrap_or_default();
                draft.say(
                    self.voice,
                    "done.invoice",
                    &[("folio", folio), ("email", email)],
                );
                draft.temperature = Some(Temperature::Warm);
            }
            Err(error) => match error.code() {
                ErrorCode::DuplicateInvoice => {
                    draft.say(self.voice, "invoice.again", &[("folio", folio)]);
                }
                ErrorCode::ValidationFailed | ErrorCode::InvalidArguments => {
                    let problem = error.message(self.voice.language);
                    let problem = problem.split_once(": ").map_or(&*problem, |(_, rest)| rest);
                    let problem = problem.trim_end_matches('.');
                    draft.say(self.voice, "invoice.wrong", &[("problem", problem)]);
                }
                _ => self.explain(draft, &error).await,
            },
        }
        Ok(())
    }

    fn missing(&self, data: &TaxData) -> Vec<&'static str> {
        let voice = self.voice;
        let needed = [
            (
                data.folio.is_none(),
                voice.pick("el folio del ticket", "the folio of the ticket"),
            ),
            (data.rfc.is_none(), voice.pick("tu RFC", "your RFC")),
            (
                data.name.is_none(),
                voice.pick("el nombre o razón social", "the name or company"),
            ),
            (
                data.regime.is_none(),
                voice.pick("el régimen fiscal", "the tax regime"),
            ),
            (
                data.usage.is_none(),
                voice.pick("el uso del CFDI", "the use of the CFDI"),
            ),
            (data.email.is_none(), voice.pick("un correo", "an e-mail")),
        ];
        needed
            .into_iter()
            .filter(|(missing, _)| *missing)
            .map(|(_, name)| name)
            .collect()
    }
}

impl TaxData {
    /// Takes in a message. What is said later stands.
    fn take(&mut self, text: &str) {
        let start: String = text.chars().take(2_000).collect();
        let plain = folded(&start);
        let rfc = tokens(&start).find_map(|word| {
            Some(word)
                .filter(|word| (12..=13).contains(&word.len()))
                .and_then(|word| Rfc::parse(word).ok().map(|_| word.to_uppercase()))
        });
        self.rfc = rfc.or(self.rfc.take());
        self.email = person::email(&start).or(self.email.take());
        let regime = tokens(&start).find_map(TaxRegime::find).or_else(|| {
            TaxRegime::ALL
                .iter()
                .find(|regime| named(&plain, regime.name))
        });
        self.regime = regime.map(|regime| regime.code).or(self.regime);
        let usage = tokens(&start)
            .find_map(CfdiUse::find)
            .or_else(|| CfdiUse::ALL.iter().find(|usage| named(&plain, usage.name)));
        self.usage = usage.map(|usage| usage.code).or(self.usage);
        self.folio = after(&start, &["folio", "ticket", "nota"], |word| {
            word.chars().any(|c| c.is_ascii_digit())
        })
        .or(self.folio.take());
        let code = after(&start, &["cp", "postal"], |word| {
            word.len() == 5 && word.chars().all(|c| c.is_ascii_digit())
        });
        self.postal_code = code.or(self.postal_code.take());
        self.name = company(&start)
            .or_else(|| person::name(&start, Expected::Perhaps, &[]))
            .or(self.name.take());
    }
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')'))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

/// Whether a text has a name of the tables, or a good part of a long one.
fn named(text: &str, name: &str) -> bool {
    let name = folded(name);
    name.len() > LONGEST_SHORT_NAME && says(text, &[&name])
}

/// The first word after one of these that fits.
fn after(text: &str, words: &[&str], fits: impl Fn(&str) -> bool) -> Option<String> {
    let mut rest = tokens(text).skip_while(|word| !words.contains(&folded(word).as_str()));
    rest.next()?;
    let found = rest.take(5).find(|word| fits(word) && word.len() <= 60);
    found.map(str::to_owned)
}

/// What stands after "razón social" or "nombre", to the end of its clause.
fn company(text: &str) -> Option<String> {
    let lower: String = text
        .chars()
        .map(|c| c.to_lowercase().next().unwrap_or(c))
        .collect();
    for marker in [
        "razón social",
        "razon social",
        "a nombre de",
        "nombre:",
        "company",
    ] {
        let Some(at) = lower.find(marker) else {
            continue;
        };
        let rest = text.get(at + marker.len()..).unwrap_or_default();
        let rest = rest.trim_start_matches([':', ' ', '-']);
        let rest = rest.strip_prefix("es ").unwrap_or(rest);
        let clause = rest
            .split([',', ';', '\n'])
            .next()
            .unwrap_or_default()
            .trim();
        if !clause.is_empty() && clause.chars().count() <= LONGEST_NAME {
            return Some(clause.to_owned());
        }
    }
    None
}
