//! The customer's points and what they can be exchanged for.

use super::catalogue::Meant;
use super::folded::{begins, field, folded, items, says};
use super::refusals;
use super::scene::{Draft, Scene};
use super::transcript::redeems;
use super::voice::MOST_TOLD;
use quipu_core::agent::Intent;
use quipu_core::lead::Temperature;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};

/// Words by which points of any name are spoken of.
const POINTS: &[&str] = &["punto", "premio", "canje", "token", "reward", "point"];

impl Scene<'_> {
    async fn balance(&self) -> Result<Value> {
        self.office.call("get_loyalty_balance", json!({})).await
    }

    /// The name that the business gave its points, when the message speaks of them by it.
    pub(super) async fn names_tokens(&self) -> Option<String> {
        let counts = begins(
            &self.words,
            &["cuant", "tengo", "queda", "saldo", "how", "much", "left"],
        );
        if !self.setting.has_customer || !(counts || self.asks_how_earned() || redeems(&self.words))
        {
            return None;
        }
        let balance = self.balance().await.ok()?;
        let name = folded(field(&balance, "token_name").unwrap_or_default());
        let active = balance["active"] != json!(false);
        let said = says(&self.words, &[&name, name.trim_end_matches('s')]);
        (active && !name.is_empty() && said).then_some(name)
    }

    /// Whether it is asked how points come together: "¿cómo junto lunas?".
    fn asks_how_earned(&self) -> bool {
        const EARNING: &[&str] = &[
            "gan", "junt", "acumul", "consig", "obten", "obtien", "sum", "earn", "collect", "get",
        ];
        let how = says(&self.words, &["como", "how", "de que forma", "que hago"]);
        how && begins(&self.words, EARNING)
    }

    /// Tells the balance and what it is enough for.
    pub(super) async fn tell_balance(&self, draft: &mut Draft) -> Result<()> {
        if !self.setting.has_customer {
            draft.say(self.voice, "loyalty.unknown", &[]);
            return Ok(());
        }
        let balance = match self.balance().await {
            Ok(balance) => balance,
            Err(error) => {
                self.explain_loyalty(draft, &error).await;
                return Ok(());
            }
        };
        let company = self.setting.company_name.as_str();
        if balance["active"] == json!(false) {
            draft.say(self.voice, "loyalty.inactive", &[("company", company)]);
            return Ok(());
        }
        let tokens = field(&balance, "token_name").unwrap_or_default();
        if self.asks_for_more(tokens) {
            draft.say(self.voice, "loyalty.only_earned", &[("tokens", tokens)]);
        }
        let how = self.asks_how_earned();
        if how {
            draft.say(self.voice, "loyalty.how", &[("tokens", tokens)]);
        }
        let number = balance["spendable"].to_string();
        draft.say(
            self.voice,
            "loyalty.balance",
            &[("balance", &number), ("tokens", tokens)],
        );
        let rewards = rewards(&balance);
        let told: Vec<String> = rewards
            .iter()
            .take(MOST_TOLD)
            .map(|(name, cost)| format!("{name} ({cost} {tokens})"))
            .collect();
        if told.is_empty() {
            draft.say(self.voice, "loyalty.no_rewards", &[]);
            if balance["spendable"] == json!(0) && !how {
                draft.say(self.voice, "loyalty.how", &[("tokens", tokens)]);
            }
        } else {
            draft.say(
                self.voice,
                "loyalty.rewards",
                &[("list", &self.voice.and(&told))],
            );
        }
        Ok(())
    }

    /// Whether so many points are asked for, which nobody earned: "ponme 500 puntos".
    pub(super) fn asks_for_more(&self, tokens: &str) -> bool {
        const GIVE: &[&str] = &[
            "pon", "agreg", "sum", "regal", "dam", "añad", "abon", "carg", "add", "give",
        ];
        let tokens = folded(tokens);
        let words: Vec<&str> = self.words.split(' ').collect();
        let counted = words.windows(2).any(|pair| {
            let points = pair[1] == tokens || begins(pair[1], &["punto", "point", "token"]);
            points && pair[0].parse::<u32>().is_ok()
        });
        counted && begins(&self.words, GIVE)
    }

    /// The reward within reach that a text asks for.
    pub(super) async fn reward_in(&self, text: &str, intent: Intent) -> Option<String> {
        let words = folded(text);
        if !redeems(&words) || !self.setting.has_customer {
            return None;
        }
        let told = intent == Intent::Loyalty || begins(&words, POINTS);
        // Points of a name of their own are spent "por" or "con" them.
        if !told
            && !words
                .split(' ')
                .any(|word| matches!(word, "por" | "con" | "mis" | "my"))
        {
            return None;
        }
        let balance = self.balance().await.ok()?;
        let tokens = folded(field(&balance, "token_name").unwrap_or_default());
        if !told && !says(&words, &[&tokens]) {
            return None;
        }
        let names: Vec<String> = rewards(&balance)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        match self.meant(text, &names) {
            Meant::One(at) => names.get(at).cloned(),
            _ => None,
        }
    }

    /// Tells that a reward will come with the order that is being taken.
    pub(super) async fn note_reward(&self, draft: &mut Draft) -> bool {
        let Some(reward) = self.reward_in(self.text, self.understood.intent()).await else {
            return false;
        };
        let Ok(balance) = self.balance().await else {
            return false;
        };
        let cost = rewards(&balance)
            .into_iter()
            .find(|(name, _)| *name == reward);
        let cost = cost.map(|(_, cost)| cost.to_string()).unwrap_or_default();
        let tokens = field(&balance, "token_name").unwrap_or_default();
        let filling = [
            ("reward", reward.as_str()),
            ("cost", &cost),
            ("tokens", tokens),
        ];
        draft.say(self.voice, "reward.noted", &filling);
        true
    }

    /// Takes the next step of redeeming a reward.
    pub(super) async fn redeem(&self, draft: &mut Draft) -> Result<()> {
        if self.refused() {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        if !self.setting.has_customer {
            draft.say(self.voice, "loyalty.unknown", &[]);
            return Ok(());
        }
        let balance = self.balance().await?;
        let tokens = field(&balance, "token_name").unwrap_or_default();
        if balance["active"] == json!(false) || self.asks_for_more(tokens) {
            return self.tell_balance(draft).await;
        }
        let rewards = rewards(&balance);
        let names: Vec<String> = rewards.iter().map(|(name, _)| name.clone()).collect();
        let heard = self
            .state
            .heard
            .iter()
            .rev()
            .filter(|heard| heard.at >= self.state.since);
        let chosen = heard
            .filter_map(|heard| self.messages.get(heard.at))
            .find_map(|turn| match self.meant(&turn.text, &names) {
                Meant::One(at) => rewards.get(at),
                _ => None,
            });
        let Some((reward, cost)) = chosen.or_else(|| {
            rewards
                .first()
                .filter(|_| rewards.len() == 1 && self.confirmed())
        }) else {
            if names.is_empty() {
                return self.tell_balance(draft).await;
            }
            draft.say(
                self.voice,
                "ask.reward",
                &[("list", &self.voice.or(&names))],
            );
            return Ok(());
        };
        let orders = begins(
            &self.words,
            &["canje", "cambiam", "cambial", "redeem", "confirm", "damel"],
        ) && !self.text.contains('?');
        let agreed = self.confirmed() && self.state.said.contains(&"confirm.redeem");
        if !(agreed || self.may_change && orders) {
            let cost = cost.to_string();
            let filling = [
                ("reward", reward.as_str()),
                ("cost", &cost),
                ("tokens", tokens),
            ];
            draft.say(self.voice, "confirm.redeem", &filling);
            return Ok(());
        }
        match self
            .office
            .call("redeem_reward", json!({ "reward_name": reward }))
            .await
        {
            Ok(redeemed) => self.say_redeemed(draft, &redeemed).await,
            Err(error) => self.explain_loyalty(draft, &error).await,
        }
        Ok(())
    }

    pub(super) async fn say_redeemed(&self, draft: &mut Draft, redeemed: &Value) {
        let balance = self.balance().await.unwrap_or_default();
        let left = redeemed["balance"].to_string();
        let filling = [
            ("reward", field(redeemed, "reward").unwrap_or_default()),
            ("code", field(redeemed, "code").unwrap_or_default()),
            ("balance", &left),
            ("tokens", field(&balance, "token_name").unwrap_or_default()),
        ];
        draft.say(self.voice, "done.redeemed", &filling);
        draft.awaiting = None;
        draft.temperature = Some(Temperature::Hot);
    }

    pub(super) async fn explain_loyalty(&self, draft: &mut Draft, error: &Error) {
        match error.code() {
            ErrorCode::TokensInsufficient => {
                let number = |name: &str| {
                    error
                        .details()
                        .get(name)
                        .map(ToString::to_string)
                        .unwrap_or_default()
                };
                let balance = self.balance().await.unwrap_or_default();
                let filling = [
                    ("missing", number("missing")),
                    ("balance", number("balance")),
                    (
                        "tokens",
                        field(&balance, "token_name").unwrap_or_default().to_owned(),
                    ),
                ];
                let filling: Vec<(&str, &str)> =
                    filling.iter().map(|(k, v)| (*k, v.as_str())).collect();
                draft.say(self.voice, "loyalty.short", &filling);
            }
            ErrorCode::NotFound | ErrorCode::InvalidArguments
                if !refusals::allowed(error).is_empty() =>
            {
                let list = self.voice.or(&refusals::allowed(error));
                draft.say(self.voice, "ask.reward", &[("list", &list)]);
            }
            _ => self.explain(draft, error).await,
        }
    }
}

/// The rewards within reach, with what they cost.
fn rewards(balance: &Value) -> Vec<(String, i64)> {
    let rewards = items(balance, "rewards_within_reach").iter();
    rewards
        .filter_map(|reward| {
            Some((
                field(reward, "name")?.to_owned(),
                reward["tokens"].as_i64()?,
            ))
        })
        .collect()
}
