//! What a customer has, earns and is given.

use super::stored_programme;
use crate::once::{self, Once};
use crate::{Actor, App};
use quipu_commerce::business::Reward;
use quipu_commerce::loyalty::{
    self, Lapse, LedgerEntry, LedgerProblem, MAX_TOKENS, Transaction, TransactionKind,
};
use quipu_commerce::money::Money;
use quipu_commerce::ordering::Discount;
use quipu_core::access::Permission;
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, LeadId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::Reason;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// What somebody has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoyaltyBalance {
    /// The sum of the ledger.
    pub balance: i64,
    /// Without what has lapsed.
    pub spendable: i64,
    /// What one token is called.
    pub token_name: String,
    /// Whether tokens are earned and spent at present.
    pub active: bool,
    pub next_lapse: Option<Lapse>,
    /// What the tokens are enough for.
    pub rewards_within_reach: Vec<RewardInReach>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RewardInReach {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    pub tokens: i64,
    pub discount: Discount,
}

/// What earns tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Award {
    /// As many as the programme gives for so much spent.
    Purchase(Money),
    /// As many as the programme gives for an appointment that took place.
    Appointment,
    Tokens(i64),
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Adjustment {
    /// Positive to give, negative to take.
    #[schema(minimum = -1_000_000_000, maximum = 1_000_000_000, example = 50)]
    pub tokens: i64,
    #[schema(min_length = 1, max_length = 300, example = "Cortesía por la espera")]
    pub reason: String,
}

/// # Errors
/// `NOT_FOUND` when there is no such lead.
pub async fn balance(app: &App, actor: &Actor, lead: LeadId) -> Result<LoyaltyBalance> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    balance_in(&tx, lead).await
}

/// # Errors
/// `NOT_FOUND` when there is no such lead.
pub async fn balance_in(tx: &TenantTx, lead: LeadId) -> Result<LoyaltyBalance> {
    let balance = tx.loyalty().balance(lead).await?;
    let balance = balance.ok_or_else(no_lead)?;
    let ledger = tx.loyalty().ledger(lead).await?;
    let programme = stored_programme(tx).await?;
    let active = programme.as_ref().is_some_and(|programme| programme.active);
    let spendable = loyalty::spendable(&ledger, tx.now());
    let mut rewards = tx.catalogue().all::<Reward>().await?;
    rewards.retain(|reward| active && reward.data.active && reward.data.tokens <= spendable);
    rewards.sort_by_key(|reward| reward.data.tokens);
    let in_reach = rewards.into_iter().map(|reward| RewardInReach {
        id: reward.id,
        name: reward.data.name,
        description: reward.data.description,
        tokens: reward.data.tokens,
        discount: reward.data.discount,
    });
    Ok(LoyaltyBalance {
        balance,
        spendable,
        token_name: programme.map_or_else(|| "puntos".to_owned(), |found| found.token_name),
        active,
        next_lapse: loyalty::next_lapse(&ledger, tx.now()),
        rewards_within_reach: in_reach.collect(),
    })
}

/// # Errors
/// `NOT_FOUND` when there is no such lead.
pub async fn transactions(
    app: &App,
    actor: &Actor,
    lead: LeadId,
    page: PageRequest,
) -> Result<Page<LedgerEntry>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.loyalty().balance(lead).await?.ok_or_else(no_lead)?;
    tx.loyalty().list(lead, page).await
}

/// Gives what something earned, once for each source such as `order:<id>`. `None` when it earns
/// nothing, or when there is no active programme.
///
/// # Errors
/// `ALREADY_AWARDED` when the source has earned before, `NOT_FOUND` when there is no such lead.
pub async fn award_in(
    tx: &TenantTx,
    actor: &str,
    lead: LeadId,
    award: Award,
    source: &str,
) -> Result<Option<LedgerEntry>> {
    let programme = stored_programme(tx).await?;
    let Some(programme) = programme.filter(|programme| programme.active) else {
        return Ok(None);
    };
    let rules = programme.earning;
    let earned = match award {
        Award::Purchase(spent) => rules.for_purchase(spent).unwrap_or_else(|problem| {
            // The rule is of a currency that the business no longer has; the purchase stands.
            tracing::warn!(%source, problem = problem.code(), "a purchase earned no tokens");
            0
        }),
        Award::Appointment => rules.for_appointment(),
        Award::Tokens(tokens) => tokens,
    };
    let ledger = Ledger::open(tx, actor, lead).await?;
    let kind = TransactionKind::Earn;
    if tx.loyalty().place_of(kind, source).await?.is_some() {
        return Err(Error::new(ErrorCode::AlreadyAwarded));
    }
    // A full ledger takes what it has room for; what was bought stands.
    let room = MAX_TOKENS.saturating_sub(loyalty::balance(&ledger.lines));
    let tokens = earned.min(room);
    if tokens < 1 {
        return Ok(None);
    }
    let lapses_at = rules.lapses_at(tx.now());
    let line = loyalty::earn(&ledger.lines, tokens, tx.now(), lapses_at);
    let line = line.map_err(|problem| ledger.refused(problem))?;
    ledger.append(&line, Some(source), None).await.map(Some)
}

/// Puts a balance right.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `TOKENS_INSUFFICIENT` when fewer are there than are taken.
pub async fn adjust(
    app: &App,
    actor: &Actor,
    lead: LeadId,
    input: Adjustment,
) -> Result<LedgerEntry> {
    // Giving tokens is giving something away, which is the business's to decide.
    actor.require(Permission::BusinessWrite)?;
    let request = json!({ "lead": lead, "adjustment": input });
    let tx = match once::begin(app, actor, "loyalty.adjust", &request).await? {
        Once::Again(entry) => return Ok(entry),
        Once::First(tx) => tx,
    };
    let entry = adjust_in(&tx, &actor.name(), lead, &input).await?;
    let details = json!({ "tokens": input.tokens });
    actor
        .audit(&tx, "loyalty.adjust", format!("lead:{lead}"), details)
        .await?;
    tx.commit_about(Some(lead), &entry).await?;
    Ok(entry)
}

/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `TOKENS_INSUFFICIENT` when fewer are there than are taken.
pub async fn adjust_in(
    tx: &TenantTx,
    actor: &str,
    lead: LeadId,
    input: &Adjustment,
) -> Result<LedgerEntry> {
    let mut checks = Checks::new();
    checks.range("tokens", input.tokens, -MAX_TOKENS, MAX_TOKENS);
    if input.tokens == 0 {
        checks.problem("tokens", Problem::Zero);
    }
    let reason = checks.line("reason", &input.reason, 300);
    checks.finish()?;
    let ledger = Ledger::open(tx, actor, lead).await?;
    let line = loyalty::adjust(&ledger.lines, input.tokens, tx.now());
    let line = line.map_err(|problem| ledger.refused(problem))?;
    ledger.append(&line, None, Some(&reason)).await
}

/// Writes down what has lapsed by now.
///
/// # Errors
/// `NOT_FOUND` when there is no such lead.
pub async fn expire_in(tx: &TenantTx, actor: &str, lead: LeadId) -> Result<()> {
    Ledger::open(tx, actor, lead).await.map(|_| ())
}

/// The ledger of a lead who is locked, with what has lapsed written down.
pub(super) struct Ledger<'a> {
    tx: &'a TenantTx,
    actor: &'a str,
    lead: LeadId,
    pub(super) lines: Vec<Transaction>,
}

impl<'a> Ledger<'a> {
    pub(super) async fn open(tx: &'a TenantTx, actor: &'a str, lead: LeadId) -> Result<Self> {
        if !tx.loyalty().lock(lead).await? {
            return Err(no_lead());
        }
        let lines = tx.loyalty().ledger(lead).await?;
        let mut ledger = Self {
            tx,
            actor,
            lead,
            lines,
        };
        ledger.write_down_lapsed().await?;
        Ok(ledger)
    }

    pub(super) async fn write_down_lapsed(&mut self) -> Result<()> {
        if let Some(lapsed) = loyalty::expire(&self.lines, self.tx.now()) {
            self.append(&lapsed, None, None).await?;
            self.lines.push(lapsed);
        }
        Ok(())
    }

    pub(super) async fn append(
        &self,
        line: &Transaction,
        source: Option<&str>,
        description: Option<&str>,
    ) -> Result<LedgerEntry> {
        let reason = Reason {
            source,
            description,
            actor: self.actor,
        };
        let lines = &self.lines;
        self.tx
            .loyalty()
            .append(self.lead, lines, line, reason)
            .await
    }

    pub(super) fn refused(&self, problem: LedgerProblem) -> Error {
        match problem {
            LedgerProblem::NotEnough { missing } => Error::new(ErrorCode::TokensInsufficient)
                .with("missing", missing)
                .with("balance", loyalty::spendable(&self.lines, self.tx.now())),
            LedgerProblem::Amount => {
                let mut checks = Checks::new();
                let room = MAX_TOKENS.saturating_sub(loyalty::balance(&self.lines));
                checks.problem("tokens", Problem::NoRoom { room });
                checks.finish().err().unwrap_or_else(no_lead)
            }
        }
    }
}

fn no_lead() -> Error {
    Error::not_found("lead")
}
