//! Asking for an invoice: the tax data, gathered over as many messages as it takes.

use super::folded::{field, folded, says};
use super::person::{self, Expected};
use super::scene::{Draft, Scene};
use crate::supervisor::Awaiting;
use quipu_core::lead::Temperature;
use quipu_core::tax::{CfdiUse, Rfc, TaxRegime};
use quipu_core::{ErrorCode, Result};
use serde_json::json;

const LONGEST_NAME: usize = 200;
/// A name of the tables needs this many letters to be recognised in a sentence.
const LONGEST_SHORT_NAME: usize = 12;

/// How the papers are called and what they need, by the currency of a business outside Mexico: the paper and
/// the data in Spanish, and both in English.
const ELSEWHERE: &[(&str, [&str; 4])] = &[
    (
        "PEN",
        [
            "La boleta o factura",
            "el DNI o RUC, el nombre o razón social y un correo",
            "The receipt or invoice",
            "your DNI or RUC, the name or company and an e-mail",
        ],
    ),
    (
        "EUR",
        [
            "La factura",
            "el NIF, el nombre o razón social, la dirección y un correo",
            "The invoice",
            "your NIF, the name or company, the address and an e-mail",
        ],
    ),
    (
        "COP",
        [
            "La factura electrónica",
            "el NIT o cédula, el nombre o razón social y un correo",
            "The electronic invoice",
            "your NIT or ID, the name or company and an e-mail",
        ],
    ),
    (
        "CLP",
        [
            "La boleta o factura",
            "el RUT, el nombre o razón social y un correo",
            "The receipt or invoice",
            "your RUT, the name or company and an e-mail",
        ],
    ),
    (
        "ARS",
        [
            "La factura",
            "el CUIT o DNI, el nombre o razón social y un correo",
            "The invoice",
            "your CUIT or DNI, the name or company and an e-mail",
        ],
    ),
];
/// Where nobody wrote down how it is done.
const ANYWHERE: [&str; 4] = [
    "La factura",
    "los datos fiscales y un correo",
    "The invoice",
    "your tax data and an e-mail",
];

/// The fields of a request for an invoice, as a customer calls them.
const FIELDS: &[(&str, &str, &str)] = &[
    ("folio", "el folio del ticket", "the folio of the ticket"),
    ("rfc", "el RFC", "the RFC"),
    ("name", "el nombre o razón social", "the name or company"),
    ("tax_regime", "el régimen fiscal", "the tax regime"),
    ("cfdi_use", "el uso del CFDI", "the use of the CFDI"),
    ("email", "el correo", "the e-mail"),
    ("postal_code", "el código postal", "the postal code"),
    (
        "ticket_date",
        "la fecha del ticket",
        "the date of the ticket",
    ),
    ("total", "el total", "the total"),
];

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
    /// The folio of the ticket that the customer sent last, where all who read it agree on it.
    async fn folio_of_ticket(&self) -> Option<String> {
        let file = self.setting.files.first()?;
        let asked = json!({ "attachment_id": file.id });
        let read = self.office.call("extract_receipt", asked).await.ok()?;
        let doubted = read["doubted"].as_array();
        if doubted.is_some_and(|fields| fields.contains(&json!("folio"))) {
            return None;
        }
        field(&read["folio"], "value").map(str::to_owned)
    }

    /// Takes the next step of asking for an invoice.
    pub(super) async fn invoice(&self, draft: &mut Draft) -> Result<()> {
        let asked = self.state.awaiting == Some(Awaiting::TaxData);
        if asked && self.state.affirms == Some(false) {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        if self.invoiced_elsewhere(draft).await {
            return Ok(());
        }
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
        if data.folio.is_none()
            && let Some(folio) = self.folio_of_ticket().await
        {
            draft.say(self.voice, "invoice.read", &[("folio", &folio)]);
            data.folio = Some(folio);
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
                    let problem = self.without_field_names(problem.trim_end_matches('.'));
                    draft.say(self.voice, "invoice.wrong", &[("problem", &problem)]);
                }
                _ => self.explain(draft, &error).await,
            },
        }
        Ok(())
    }

    /// Only Mexican invoices can be requested by a tool. Elsewhere a person makes them, and hears of it.
    async fn invoiced_elsewhere(&self, draft: &mut Draft) -> bool {
        let info = self.office.call("get_business_info", json!({})).await;
        let info = info.unwrap_or_default();
        let Some(currency) = field(&info, "currency").filter(|currency| *currency != "MXN") else {
            return false;
        };
        let known = ELSEWHERE.iter().find(|(known, _)| *known == currency);
        let [paper, data, english_paper, english_data] =
            known.map_or(ANYWHERE, |(_, texts)| *texts);
        let filling = [
            ("paper", self.voice.pick(paper, english_paper)),
            ("data", self.voice.pick(data, english_data)),
        ];
        draft.say(self.voice, "invoice.elsewhere", &filling);
        let why = self.voice.pick(
            "El cliente pide una factura",
            "The customer asks for an invoice",
        );
        self.hand_over(draft, "escalated.plain", why).await;
        true
    }

    /// A problem in words of the customer: no name of a field reaches them.
    fn without_field_names(&self, problem: &str) -> String {
        let word = |word: &str| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
            let known = FIELDS.iter().find(|(field, ..)| *field == bare);
            match known {
                Some((_, es, en)) => word.replace(bare, self.voice.pick(es, en)),
                None => word.replace('_', " "),
            }
        };
        let words: Vec<String> = problem.split(' ').map(word).collect();
        words.join(" ")
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
