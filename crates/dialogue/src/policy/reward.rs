//! Points: how many there are, what they are enough for, and exchanging them.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::{CatalogueName, LinkedNames, NameIndex, WordList};
use crate::say::Phrase;
use crate::state::{Awaited, DoneDeed, Goal, OrderGoal, RedeemGoal, RewardWish};
use quipu_core::lead::Temperature;
use quipu_core::reading::{Act, QuestionTopic};
use quipu_core::text::fold;
use serde_json::{Value, json};

/// The points of a customer, as the tool tells them.
pub(super) struct PointBalance {
    spendable: i64,
    token: String,
    /// How points are earned.
    earning: Value,
    rewards: Vec<RewardWish>,
}

impl PolicyRun<'_> {
    /// The customer's points. None, and why is said, where they cannot be told.
    fn balance(&mut self) -> Known<Option<PointBalance>> {
        if !self.profile.has("get_loyalty_balance") {
            return Ok(None);
        }
        if !self.profile.has_customer {
            self.say(Phrase::LoyaltyUnknown, &[]);
            return Ok(None);
        }
        let told = self.facts.look("get_loyalty_balance", json!({}))?;
        let told = match told {
            Ok(told) => told,
            Err(error) => {
                self.explain(error);
                return Ok(None);
            }
        };
        if told["active"] == json!(false) {
            let company = self.profile.company_name.as_str();
            self.say(Phrase::LoyaltyInactive, &[("company", company)]);
            return Ok(None);
        }
        let rewards = |name: &str| -> Vec<RewardWish> {
            let list = told[name].as_array().into_iter().flatten();
            list.filter_map(read_reward).collect()
        };
        let mut all = rewards("rewards_within_reach");
        all.extend(rewards("rewards_further"));
        Ok(Some(PointBalance {
            spendable: told["spendable"].as_i64().unwrap_or_default(),
            token: told["token_name"].as_str().unwrap_or_default().to_owned(),
            earning: told["earning"].clone(),
            rewards: all,
        }))
    }

    /// The reward that the message names.
    fn reward_named(&self, balance: &PointBalance) -> Option<RewardWish> {
        let called = balance.rewards.iter().map(|reward| CatalogueName {
            id: reward.name.clone(),
            names: vec![reward.name.clone()],
        });
        let index = NameIndex::new(called, self.profile.written_in, |_| false);
        let language = self.heard.language;
        let spans = self.heard.spans.iter();
        let mut linked = spans.filter_map(|span| index.link(&span.text, language).one());
        let named = linked
            .next()
            .or_else(|| match index.link(&self.heard.text, language) {
                LinkedNames::One(name) => Some(name),
                _ => None,
            });
        let named = named?;
        balance
            .rewards
            .iter()
            .find(|reward| reward.name == named)
            .cloned()
    }

    /// Tells how many points there are, and what they are enough for.
    pub(super) fn tell_points(&mut self) -> Known<()> {
        let Some(balance) = self.balance()? else {
            return Ok(());
        };
        let how = self
            .heard
            .asks_about(QuestionTopic::Earning, "asks_how_earned");
        if how && self.tell_how_earned(&balance) {
            return Ok(());
        }
        let points = balance.spendable.to_string();
        if let Some(reward) = self.reward_named(&balance) {
            if reward.cost > balance.spendable {
                self.say_short(&balance, &reward);
                return Ok(());
            }
        } else if self.asks_for_more_points() {
            self.say(Phrase::LoyaltyOnlyEarned, &[("tokens", &balance.token)]);
        }
        let filling = [("balance", points.as_str()), ("tokens", &balance.token)];
        self.say(Phrase::LoyaltyBalance, &filling);
        let reach = balance
            .rewards
            .iter()
            .filter(|reward| reward.cost <= balance.spendable);
        let names: Vec<&str> = reach.map(|reward| reward.name.as_str()).collect();
        if names.is_empty() {
            self.say(Phrase::LoyaltyNoRewards, &[]);
        } else {
            let list = self.voice.and(&names);
            self.say(Phrase::LoyaltyRewards, &[("list", &list)]);
        }
        Ok(())
    }

    /// Tells how points are earned and what there is for them. `false` where that is not told.
    fn tell_how_earned(&mut self, balance: &PointBalance) -> bool {
        let earning = &balance.earning;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let number = |value: &Value| value.as_u64().filter(|number| *number > 0);
        let told = |value: &Value| number(value).map_or_else(String::new, |it| it.to_string());
        let spend = &earning["spend"];
        let each = told(&earning["per_appointment"]);
        if number(&spend["tokens"]).is_none() && each.is_empty() {
            return false;
        }
        let tokens = balance.token.as_str();
        if number(&spend["tokens"]).is_some() {
            let (many, every) = (told(&spend["tokens"]), text(&spend["every"]));
            let minimum = text(&spend["minimum"]);
            let filling = [
                ("many", many.as_str()),
                ("tokens", tokens),
                ("every", &every),
                ("minimum", &minimum),
            ];
            self.say(Phrase::LoyaltySpend, &filling);
        }
        if !each.is_empty() {
            self.say(
                Phrase::LoyaltyVisits,
                &[("many", &each), ("tokens", tokens)],
            );
        }
        let days = told(&earning["lasts_days"]);
        if !days.is_empty() {
            self.say(Phrase::LoyaltyLasts, &[("tokens", tokens), ("days", &days)]);
        }
        let rewards = balance.rewards.iter();
        let rewards: Vec<String> = rewards
            .map(|reward| format!("{} ({} {tokens})", reward.name, reward.cost))
            .collect();
        if !rewards.is_empty() {
            let list = self.voice.and(&rewards);
            self.say(Phrase::LoyaltyPrizes, &[("list", &list)]);
        }
        let points = balance.spendable.to_string();
        let filling = [("balance", points.as_str()), ("tokens", tokens)];
        self.say(Phrase::LoyaltyBalance, &filling);
        true
    }

    /// Whether the message asks for points as a gift.
    fn asks_for_more_points(&self) -> bool {
        self.heard.says("puts_in")
            && !self.heard.asks()
            && !self.heard.does(Act::Check)
            && !self.heard.does(Act::Redeem)
    }

    fn say_short(&mut self, balance: &PointBalance, reward: &RewardWish) {
        let missing = (reward.cost - balance.spendable).to_string();
        let points = balance.spendable.to_string();
        let filling = [
            ("missing", missing.as_str()),
            ("tokens", &balance.token),
            ("balance", &points),
        ];
        self.say(Phrase::LoyaltyShort, &filling);
    }

    pub(super) fn take_in_reward(&mut self, goal: &mut RedeemGoal) -> Known<bool> {
        let Some(balance) = self.balance()? else {
            return Ok(false);
        };
        let named = self.reward_named(&balance);
        let new = named.is_some() && goal.reward != named;
        if new {
            goal.reward = named;
        }
        Ok(new)
    }

    pub(super) fn advance_redeem(&mut self, mut goal: RedeemGoal) -> Known<()> {
        let Some(balance) = self.balance()? else {
            self.state.end();
            return Ok(());
        };
        let reach: Vec<&RewardWish> = balance
            .rewards
            .iter()
            .filter(|reward| reward.cost <= balance.spendable)
            .collect();
        let Some(reward) = goal.reward.clone() else {
            if reach.is_empty() {
                let points = balance.spendable.to_string();
                let filling = [("balance", points.as_str()), ("tokens", &balance.token)];
                self.say(Phrase::LoyaltyBalance, &filling);
                self.say(Phrase::LoyaltyNoRewards, &[]);
                self.state.end();
                return Ok(());
            }
            let names: Vec<&str> = reach.iter().map(|reward| reward.name.as_str()).collect();
            let list = self.voice.and(&names);
            self.say(Phrase::AskReward, &[("list", &list)]);
            self.state.goal = Some(Goal::Redeem(goal));
            self.state.awaited = Some(Awaited::Reward);
            return Ok(());
        };
        if reward.cost > balance.spendable {
            self.say_short(&balance, &reward);
            self.state.end();
            return Ok(());
        }
        if self.before.awaited == Some(Awaited::Consent) && self.consent == crate::read::Consent::No
        {
            self.state.end();
            self.say(Phrase::Left, &[]);
            return Ok(());
        }
        let same = goal.read_back.as_ref() == Some(&reward.name);
        let commands = self.commands(Act::Redeem) || self.spends_points()?;
        if self.agrees() && same || commands && goal.read_back.is_none() {
            return self.redeem(&reward);
        }
        let cost = reward.cost.to_string();
        let filling = [
            ("reward", reward.name.as_str()),
            ("cost", &cost),
            ("tokens", &balance.token),
        ];
        self.say(Phrase::ConfirmRedeem, &filling);
        goal.read_back = Some(reward.name);
        self.state.goal = Some(Goal::Redeem(goal));
        self.state.awaited = Some(Awaited::Consent);
        Ok(())
    }

    fn redeem(&mut self, reward: &RewardWish) -> Known<()> {
        let with = json!({ "reward_name": reward.name });
        let done = self.facts.change("redeem_reward", with.clone())?;
        let done = match done {
            Ok(done) => done,
            Err(error) => {
                self.explain(error);
                self.state.end();
                return Ok(());
            }
        };
        self.informed = true;
        let code = done["code"].as_str().unwrap_or_default().to_owned();
        let left = done["balance"].as_i64().unwrap_or_default().to_string();
        let token = self.token_name()?;
        let filling = [
            ("reward", reward.name.as_str()),
            ("code", &code),
            ("balance", &left),
            ("tokens", &token),
        ];
        self.say(Phrase::DoneRedeemed, &filling);
        self.state.warm(Temperature::Warm);
        self.state.remember(DoneDeed {
            tool: "redeem_reward".to_owned(),
            with,
            total: None,
            number: Some(code),
        });
        self.state.end();
        self.advance()
    }

    fn token_name(&self) -> Known<String> {
        let told = self.facts.look("get_loyalty_balance", json!({}))?;
        let name = told.ok().and_then(|told| told["token_name"].as_str());
        Ok(name.unwrap_or_default().to_owned())
    }

    // --- Rewards in an order --------------------------------------------------------------------------------------

    /// The reward that the message wants for points, by naming both.
    fn reward_for_points(&self) -> Known<Option<RewardWish>> {
        let able = self.profile.has_customer && self.profile.has("redeem_reward");
        let acts = [Act::Redeem, Act::Ask, Act::Swap, Act::Add, Act::Order];
        let likely = acts.iter().any(|act| self.heard.does(*act)) || !self.heard.is_read();
        if !able || !likely {
            return Ok(None);
        }
        let told = self.facts.look("get_loyalty_balance", json!({}))?;
        let Ok(told) = told else { return Ok(None) };
        let token = told["token_name"].as_str().unwrap_or_default();
        if !self.heard.does(Act::Redeem) && !names_points(&self.heard.words, token) {
            return Ok(None);
        }
        let list = told["rewards_within_reach"]
            .as_array()
            .into_iter()
            .flatten();
        let balance = PointBalance {
            spendable: told["spendable"].as_i64().unwrap_or_default(),
            token: String::new(),
            earning: Value::Null,
            rewards: list.filter_map(read_reward).collect(),
        };
        Ok(self.reward_named(&balance))
    }

    /// Whether the message wants a reward for points, after points were spoken of.
    pub(super) fn spends_points(&self) -> Known<bool> {
        let spoken = self.before.topic.asked == Some(QuestionTopic::Points);
        if !spoken || self.heard.does(Act::Ask) || self.heard.does(Act::Check) {
            return Ok(false);
        }
        Ok(self.reward_for_points()?.is_some())
    }

    /// Takes a reward into the order, where the message asks for one.
    pub(super) fn take_reward_of_order(&self, goal: &mut OrderGoal) -> Known<()> {
        if !self.heard.does(Act::Redeem) && !self.heard.does(Act::Ask) {
            return Ok(());
        }
        let Some(reward) = self.reward_for_points()? else {
            return Ok(());
        };
        // A reward for a thing is taken off its price, so that the thing has to be in the order.
        let dishes = &self.business.names.dishes;
        if let LinkedNames::One(dish) = dishes.link(&reward.name, self.profile.written_in) {
            let dish = dish.to_string();
            if !goal.lines.iter().any(|line| line.item == dish) {
                goal.put(&dish, 1);
            }
        }
        let paid = goal
            .reward
            .as_ref()
            .is_some_and(|known| known.code.is_some());
        if !paid {
            goal.reward = Some(reward);
        }
        Ok(())
    }

    /// Whether the reward of the order can be had; says so. `true` once that is settled.
    pub(super) fn settle_reward(&mut self, goal: &mut OrderGoal) -> Known<bool> {
        let reward = goal.reward.clone().filter(|reward| reward.code.is_none());
        let Some(reward) = reward else {
            return Ok(true);
        };
        let Some(balance) = self.balance()? else {
            goal.reward = None;
            return Ok(true);
        };
        if reward.cost > balance.spendable {
            self.say_short(&balance, &reward);
            goal.reward = None;
        }
        Ok(true)
    }

    /// Exchanges points for the reward of an order, and gives its code.
    pub(super) fn redeemed_code(&mut self, reward: &RewardWish) -> Known<Option<String>> {
        let with = json!({ "reward_name": reward.name });
        let done = self.facts.change("redeem_reward", with)?;
        match done {
            Ok(done) => Ok(done["code"].as_str().map(str::to_owned)),
            Err(error) => {
                self.explain(error);
                Ok(None)
            }
        }
    }
}

/// Whether words name the points of a business, in the singular or the plural.
fn names_points(words: &[String], token: &str) -> bool {
    let plain = |word: &str| fold(word).trim_end_matches('s').to_owned();
    let token = plain(token);
    let called = |word: &String| plain(word) == token && !token.is_empty();
    WordList::get("points").is_in(words) || words.iter().any(called)
}

fn read_reward(told: &Value) -> Option<RewardWish> {
    Some(RewardWish {
        name: told["name"].as_str()?.to_owned(),
        cost: told["tokens"].as_i64()?,
        code: None,
    })
}
