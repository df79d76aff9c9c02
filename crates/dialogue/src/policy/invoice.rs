//! Asking for an invoice: the tax data, gathered over as many messages as it takes.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::{Consent, WordList, folded_words};
use crate::say::Phrase;
use crate::state::{Awaited, DoneDeed, Goal, InvoiceGoal};
use quipu_commerce::money::Currency;
use quipu_commerce::tax::{CfdiUse, Rfc, TaxRegime};
use quipu_core::ErrorCode;
use quipu_core::lead::Temperature;
use quipu_core::text::fold;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::sync::LazyLock;

const LONGEST_NAME: usize = 200;
/// A name of the tables needs this many letters to be recognised in a sentence.
const LONGEST_SHORT_NAME: usize = 12;
/// How far behind what announces it a number may stand.
const NEAR: usize = 5;

/// What the paper is called, and which data it needs.
#[derive(Deserialize)]
struct PaperTexts {
    es: [String; 2],
    en: [String; 2],
}

static PAPERS: LazyLock<HashMap<String, PaperTexts>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../data/invoices.toml"))
        .expect("a test reads the file, which is a part of the program")
});

/// The fields of a request for an invoice, as a customer calls them.
const FIELDS: [(&str, &str, &str); 9] = [
    ("folio", "el folio del ticket", "the folio of the ticket"),
    ("rfc", "el RFC", "the RFC"),
    ("name", "el nombre o razón social", "the name or company"),
    ("tax_regime", "el régimen fiscal", "the tax regime"),
    ("cfdi_use", "el uso del CFDI", "the use of the CFDI"),
    ("email", "un correo", "an e-mail"),
    ("postal_code", "el código postal", "the postal code"),
    (
        "ticket_date",
        "la fecha del ticket",
        "the date of the ticket",
    ),
    ("total", "el total", "the total"),
];

impl PolicyRun<'_> {
    /// Takes in the data of a message. What is said later stands.
    pub(super) fn take_in_tax_data(&self, goal: &mut InvoiceGoal) -> bool {
        let before = goal.clone();
        let text = &self.heard.text;
        let plain = fold(text);
        let put = |slot: &mut Option<String>, value: Option<String>| {
            if value.is_some() {
                *slot = value;
            }
        };
        let rfc =
            tokens(text).find(|word| (12..=13).contains(&word.len()) && Rfc::parse(word).is_ok());
        put(&mut goal.rfc, rfc.map(str::to_uppercase));
        put(&mut goal.email, self.heard.email());
        let regime = tokens(text).find_map(TaxRegime::find).or_else(|| {
            TaxRegime::ALL
                .iter()
                .find(|regime| is_named(&plain, regime.name))
        });
        put(
            &mut goal.tax_regime,
            regime.map(|regime| regime.code.to_owned()),
        );
        let usage = tokens(text).find_map(CfdiUse::find).or_else(|| {
            CfdiUse::ALL
                .iter()
                .find(|usage| is_named(&plain, usage.name))
        });
        put(&mut goal.cfdi_use, usage.map(|usage| usage.code.to_owned()));
        let numbered = |word: &str| word.chars().any(|c| c.is_ascii_digit());
        put(&mut goal.folio, after(text, "announces_folio", numbered));
        let code = |word: &str| word.len() == 5 && word.chars().all(|c| c.is_ascii_digit());
        put(
            &mut goal.postal_code,
            after(text, "announces_postal_code", code),
        );
        let company = company(text);
        let asked = self.before.awaited == Some(Awaited::TaxData);
        let name = company.or_else(|| self.names_given().into_iter().next().filter(|_| asked));
        put(&mut goal.name, name);
        *goal != before
    }

    pub(super) fn advance_invoice(&mut self, mut goal: InvoiceGoal) -> Known<()> {
        if self
            .business
            .contact
            .currency
            .is_some_and(|currency| currency != Currency::Mxn)
        {
            return self.invoice_elsewhere();
        }
        if self.consent == Consent::No
            && self.before.awaited.is_some()
            && self.before.goal.as_ref() == Some(&Goal::Invoice(goal.clone()))
        {
            self.state.end();
            self.say(Phrase::Left, &[]);
            return Ok(());
        }
        if goal.folio.is_none() {
            self.read_ticket(&mut goal)?;
        }
        let missing = self.missing(&goal);
        if !missing.is_empty() {
            let list = self.voice.and(&missing);
            self.say(Phrase::AskInvoice, &[("list", &list)]);
            self.state.goal = Some(Goal::Invoice(goal));
            self.state.awaited = Some(Awaited::TaxData);
            return Ok(());
        }
        self.request_invoice(goal)
    }

    /// Files the request. Every datum in it was written by the customer for this, and asking for it is no change
    /// of theirs, so that nothing is read back.
    fn request_invoice(&mut self, goal: InvoiceGoal) -> Known<()> {
        let mut with = json!({
            "folio": goal.folio, "rfc": goal.rfc, "name": goal.name, "tax_regime": goal.tax_regime,
            "cfdi_use": goal.cfdi_use, "email": goal.email,
        });
        if let Some(code) = &goal.postal_code {
            with["postal_code"] = json!(code);
        }
        let folio = goal.folio.clone().unwrap_or_default();
        let done = self.facts.change("request_invoice", with.clone())?;
        match done {
            Ok(_) => {
                self.informed = true;
                let email = goal.email.clone().unwrap_or_default();
                self.say(Phrase::DoneInvoice, &[("folio", &folio), ("email", &email)]);
                self.state.warm(Temperature::Warm);
                self.state.remember(DoneDeed {
                    tool: "request_invoice".to_owned(),
                    with,
                    total: None,
                    number: Some(folio),
                });
                self.state.end();
            }
            Err(error) => match error.code() {
                ErrorCode::DuplicateInvoice => {
                    self.say(Phrase::InvoiceAgain, &[("folio", &folio)]);
                    self.state.end();
                }
                ErrorCode::ValidationFailed | ErrorCode::InvalidArguments => {
                    let problem = error.message(self.voice.language);
                    let problem = problem.split_once(": ").map_or(&*problem, |(_, rest)| rest);
                    let problem = self.in_customers_words(problem.trim_end_matches('.'));
                    self.say(Phrase::InvoiceWrong, &[("problem", &problem)]);
                    self.state.goal = Some(Goal::Invoice(goal));
                    self.state.awaited = Some(Awaited::TaxData);
                }
                _ => {
                    self.explain(error);
                    self.state.end();
                }
            },
        }
        Ok(())
    }

    /// Reads the folio off the ticket that the customer sent last, where all who read it agree on it.
    fn read_ticket(&mut self, goal: &mut InvoiceGoal) -> Known<()> {
        let Some(file) = self
            .profile
            .file
            .filter(|_| self.profile.has("extract_receipt"))
        else {
            return Ok(());
        };
        let read = self
            .facts
            .look("extract_receipt", json!({ "attachment_id": file }))?;
        let Ok(read) = read else { return Ok(()) };
        let doubted = read["doubted"].as_array();
        if doubted.is_some_and(|fields| fields.contains(&json!("folio"))) {
            return Ok(());
        }
        if let Some(folio) = read["folio"]["value"].as_str() {
            let folio = folio.to_owned();
            self.say(Phrase::InvoiceRead, &[("folio", &folio)]);
            goal.folio = Some(folio);
        }
        Ok(())
    }

    /// Only Mexican invoices can be requested by a tool. Elsewhere a person makes them, and hears of it.
    fn invoice_elsewhere(&mut self) -> Known<()> {
        let currency = self.business.contact.currency.map(Currency::as_str);
        let known = currency.and_then(|currency| PAPERS.get(currency));
        if let Some(texts) = known.or_else(|| PAPERS.get("other")) {
            let [paper, data] = match self.voice.language {
                quipu_core::language::Language::Es => &texts.es,
                quipu_core::language::Language::En => &texts.en,
            };
            self.say(
                Phrase::InvoiceElsewhere,
                &[("paper", paper), ("data", data)],
            );
        }
        self.state.end();
        self.call_person(Phrase::EscalatedPlain)
    }

    /// A problem in words of the customer: no name of a field reaches them.
    fn in_customers_words(&self, problem: &str) -> String {
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

    fn missing(&self, goal: &InvoiceGoal) -> Vec<&'static str> {
        let given: [(&str, &Option<String>); 6] = [
            ("folio", &goal.folio),
            ("rfc", &goal.rfc),
            ("name", &goal.name),
            ("tax_regime", &goal.tax_regime),
            ("cfdi_use", &goal.cfdi_use),
            ("email", &goal.email),
        ];
        let missing = given.iter().filter(|(_, value)| value.is_none());
        let named = missing.filter_map(|(field, _)| {
            let known = FIELDS.iter().find(|(known, ..)| known == field)?;
            Some(self.voice.pick(known.1, known.2))
        });
        named.collect()
    }
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')'))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

/// Whether a text has a name of the tables.
fn is_named(text: &str, name: &str) -> bool {
    let name = fold(name);
    name.len() > LONGEST_SHORT_NAME && text.contains(&name)
}

/// The first word that fits, shortly after one of a list.
fn after(text: &str, list: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let announces = WordList::get(list);
    let mut rest = tokens(text).skip_while(|word| !announces.has(&fold(word)));
    rest.next()?;
    let found = rest.take(NEAR).find(|word| fits(word) && word.len() <= 60);
    found.map(str::to_owned)
}

/// What stands behind what announces a company, to the end of its clause.
fn company(text: &str) -> Option<String> {
    let announces = WordList::get("announces_company");
    let clauses = text.split([',', ';', '\n']);
    let mut found = clauses.filter_map(|clause| {
        let words = folded_words(clause);
        let (at, length) = announces.find(&words)?;
        let said: Vec<&str> = clause.split_whitespace().collect();
        let rest = said.get(at + length..)?.join(" ");
        let rest = rest.trim_start_matches([':', ' ', '-']);
        let rest = rest.strip_prefix("es ").unwrap_or(rest).trim();
        (!rest.is_empty() && rest.chars().count() <= LONGEST_NAME).then(|| rest.to_owned())
    });
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_of_every_country_are_read() {
        assert!(PAPERS.contains_key("other"));
        for currency in PAPERS.keys().filter(|key| *key != "other") {
            assert!(Currency::parse(currency).is_some(), "{currency}");
        }
    }

    #[test]
    fn data_stand_behind_what_announces_them() {
        let text = "folio A-1023, razón social Comercial del Norte SA, cp 64000";
        assert_eq!(
            after(text, "announces_folio", |_| true).as_deref(),
            Some("A-1023")
        );
        assert_eq!(company(text).as_deref(), Some("Comercial del Norte SA"));
        assert_eq!(
            after(text, "announces_postal_code", |_| true).as_deref(),
            Some("64000")
        );
    }
}
