//! What a message wants to have done, and what it gives up.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::{Consent, LinkedNames};
use crate::say::Phrase;
use crate::state::{
    Awaited, BookGoal, CancelOrderGoal, CancelVisitGoal, Goal, GoalKind, InvoiceGoal, OwnKind,
    RedeemGoal, VisitWish,
};
use quipu_core::agent::{Intent, Vertical};
use quipu_core::reading::{Act, QuestionTopic, SpanKind};
use quipu_language::when::{Day, When};

/// From here on an act that is often mistaken counts without other signs.
const SURELY: f32 = 0.9;
/// From here on an act may be meant.
const PERHAPS: f32 = 0.3;
/// From here on what a message is about begins a goal that no act names.
const LIKELY: f32 = 0.8;

impl PolicyRun<'_> {
    /// Begins or takes up what the message wants. `false` when it wants nothing new.
    pub(super) fn begin_wish(&mut self) -> Known<bool> {
        let Some(kind) = self.wished()? else {
            return Ok(false);
        };
        let active = self.state.goal.as_ref().map(Goal::kind);
        if active == Some(kind) {
            return Ok(false);
        }
        if kind == GoalKind::Move && self.speaks_of_what_was_booked() && self.names_booked_time()? {
            self.tell_own_visits()?;
            return Ok(true);
        }
        if !self.is_able(kind) {
            self.decline(kind);
            return Ok(true);
        }
        if self.was_just_done(kind) {
            return Ok(false);
        }
        if !self.state.resume(kind) {
            self.state.begin(match kind {
                GoalKind::Book => Goal::Book(BookGoal {
                    visits: vec![self.visit_spoken_of()],
                    ..BookGoal::default()
                }),
                GoalKind::Move => Goal::Move(Box::default()),
                GoalKind::CancelVisit => Goal::CancelVisit(CancelVisitGoal::default()),
                GoalKind::Order => Goal::Order(Box::default()),
                GoalKind::CancelOrder => Goal::CancelOrder(CancelOrderGoal::default()),
                GoalKind::Redeem => Goal::Redeem(RedeemGoal::default()),
                GoalKind::Invoice => Goal::Invoice(InvoiceGoal::default()),
                GoalKind::Contact => Goal::Contact,
            });
        }
        Ok(true)
    }

    /// A visit for what was spoken of: the service whose price was told, or being looked at for what is felt.
    fn visit_spoken_of(&self) -> VisitWish {
        let topic = &self.before.topic;
        let told = topic.service.filter(|_| topic.service_told);
        let named = self.services_asked(&self.heard.text).one();
        let asked = self.heard.asks() && self.asks_when_free();
        let told = told.or(named.filter(|_| asked));
        let felt = self.before.alarmed || topic.asked == Some(QuestionTopic::Diagnosis);
        let looked_at = || self.consultation().map(|service| service.id);
        VisitWish {
            service: told.or_else(|| looked_at().filter(|_| felt)),
            among: topic.among.clone(),
            when: When {
                day: topic.day.map(Day::On),
                ..When::default()
            },
            ..VisitWish::default()
        }
    }

    /// The kind of goal that the message wants, if any.
    pub(super) fn wished(&self) -> Known<Option<GoalKind>> {
        let heard = self.heard;
        let active = self.state.goal.as_ref().map(Goal::kind);
        let settling = active.is_some();
        if self.before.handed_over && self.names_nothing() && !heard.does(Act::Cancel) {
            // A person was called, so that nothing is begun by a guess.
            return Ok(None);
        }
        if heard.guess.invoicing && (heard.does(Act::Invoice) || heard.is_read() == heard.asks()) {
            return Ok(Some(GoalKind::Invoice));
        }
        if heard.act(Act::Invoice) >= SURELY && !settling {
            return Ok(Some(GoalKind::Invoice));
        }
        if active != Some(GoalKind::Order) && (heard.does(Act::Redeem) || self.spends_points()?) {
            return Ok(Some(GoalKind::Redeem));
        }
        let moves = heard.does(Act::Reschedule) && !heard.does(Act::Book);
        let speaks = self.speaks_of_what_was_booked();
        let another = speaks && heard.says("wants_another_time") && !self.names_booked_time()?;
        if moves || another || speaks && !self.asks_apart() {
            let booking = active == Some(GoalKind::Book);
            return Ok((!booking).then_some(GoalKind::Move));
        }
        let books = matches!(active, Some(GoalKind::Book | GoalKind::Order));
        let cancels = heard.does(Act::Cancel) || heard.says("calls_off");
        if cancels && !books && !heard.says("asks_terms") {
            return Ok(Some(self.cancelled_kind()));
        }
        // Whoever only asks wants to be told.
        let only_asks = heard.does(Act::Ask) && !heard.does(Act::Book) && !heard.does(Act::Order);
        if only_asks || heard.does(Act::Check) && !heard.does(Act::Book) {
            return Ok(self.wished_in_question());
        }
        if heard.does(Act::Book) && !self.names_only_dishes() {
            return Ok(Some(GoalKind::Book));
        }
        if self.orders() {
            return Ok(Some(GoalKind::Order));
        }
        if settling || heard.consent_is_all() {
            return Ok(None);
        }
        Ok(self.wished_by_intent())
    }

    /// Whether the message names nothing that could be booked or ordered, and no time for it.
    fn names_nothing(&self) -> bool {
        let named = [
            SpanKind::Service,
            SpanKind::Item,
            SpanKind::Date,
            SpanKind::Time,
            SpanKind::Document,
            SpanKind::Code,
        ];
        !named.iter().any(|kind| self.heard.has(*kind))
    }

    /// Whether the message only asks, and moves nothing: "¿y si llego a las 6?".
    fn asks_apart(&self) -> bool {
        let heard = self.heard;
        heard.does(Act::Ask) && !heard.does(Act::Book) && !heard.does(Act::Correct)
    }

    /// What a question asks to have done, as "¿y con los puntos me das el estuche?" does.
    fn wished_in_question(&self) -> Option<GoalKind> {
        // "¿Cuándo me puede ver?" asks for a visit, and "¿cuándo es mi cita?" for the one there is.
        let asks_for_time = self.heard.about(Intent::Booking) >= LIKELY
            && !self.heard.does(Act::Check)
            && !self.heard.when(&self.profile.now, None).is_empty();
        let free = self.state.goal.is_none() && self.profile.books();
        let free = free && !self.speaks_of_what_was_booked();
        if free && self.asks_for_times() {
            return Some(GoalKind::Book);
        }
        (free && asks_for_time).then_some(GoalKind::Book)
    }

    /// Whether the message orders something of the menu.
    fn orders(&self) -> bool {
        let heard = self.heard;
        let active = self.state.goal.as_ref().map(Goal::kind);
        let acts = heard.does(Act::Order) || heard.does(Act::Add);
        let counted = heard.has(SpanKind::Item) && heard.has(SpanKind::Quantity);
        let about = heard.about(Intent::Ordering) >= LIKELY && !heard.asks();
        let orders = acts || counted && about;
        orders
            && active != Some(GoalKind::Order)
            && !self.business.dishes.is_empty()
            && (heard.about(Intent::Ordering) > 0.5 || self.names_dish())
            && (active.is_none() || self.names_dish())
    }

    /// What is wanted by what the message is about, where it names what a goal needs.
    fn wished_by_intent(&self) -> Option<GoalKind> {
        let heard = self.heard;
        let names_time = !heard.when(&self.profile.now, None).is_empty();
        let names_service = heard.has(SpanKind::Service);
        let offers = [
            Act::Provide,
            Act::Choose,
            Act::Affirm,
            Act::Book,
            Act::Correct,
        ];
        let says = !heard.is_read() || offers.iter().any(|act| heard.act(*act) >= PERHAPS);
        let about = heard.about(Intent::Booking) >= LIKELY && says;
        let topic = &self.before.topic;
        let spoken_of = topic.service_told && (topic.service.is_some() || !topic.among.is_empty());
        let books =
            about && (names_time || names_service || spoken_of && heard.has(SpanKind::Name));
        // A service, a day and an hour together want a visit, whatever else the message is about.
        let whole = names_service && heard.has(SpanKind::Date) && heard.has(SpanKind::Time);
        let books = books || whole && !heard.asks() && heard.about(Intent::Booking) >= PERHAPS;
        if books && self.consent != Consent::No && self.profile.books() {
            return Some(GoalKind::Book);
        }
        None
    }

    fn names_dish(&self) -> bool {
        let spans = [SpanKind::Item, SpanKind::Change, SpanKind::Service];
        let parts = self
            .heard
            .spans
            .iter()
            .filter(|span| spans.contains(&span.kind));
        let index = &self.business.names.dishes;
        let language = self.heard.language;
        let mut linked = parts.map(|span| index.link(&span.text, language));
        linked.any(|linked| linked != LinkedNames::None)
            || !index.named_in_full(&self.heard.text).is_empty()
    }

    /// Whether what is to be booked is food: "apártame dos tortas".
    fn names_only_dishes(&self) -> bool {
        let index = &self.business.names.services;
        let service = self.heard.of(SpanKind::Service);
        let mut services = service.map(|span| index.link(&span.text, self.heard.language));
        self.heard.has(SpanKind::Item)
            && self.names_dish()
            && !services.any(|linked| linked != LinkedNames::None)
            && !self.heard.has(SpanKind::Party)
    }

    /// Whether a visit or an order is to be called off, by its name or by what was spoken of last.
    fn cancelled_kind(&self) -> GoalKind {
        let visit = self.heard.says("names_visit");
        let order = self.heard.says("names_order");
        let restaurant = self.profile.vertical == Vertical::Restaurant && !self.profile.books();
        let shop = self.business.services.is_empty() && !self.business.dishes.is_empty();
        let orders = match (visit, order, self.state.topic.own) {
            (true, false, _) => false,
            (false, true, _) => true,
            (_, _, Some(own)) => own == OwnKind::Order,
            _ => restaurant || shop,
        };
        if orders {
            GoalKind::CancelOrder
        } else {
            GoalKind::CancelVisit
        }
    }

    /// Whether the agent has what a goal needs.
    fn is_able(&self, kind: GoalKind) -> bool {
        let profile = self.profile;
        match kind {
            GoalKind::Book => profile.books() && self.has_agenda(),
            GoalKind::Move => profile.books() && profile.has("reschedule_appointment"),
            GoalKind::CancelVisit => profile.books() && profile.has("cancel_appointment"),
            GoalKind::Order => profile.sells() && !self.business.dishes.is_empty(),
            GoalKind::CancelOrder => profile.sells() && profile.has("cancel_order"),
            GoalKind::Redeem => profile.has("redeem_reward"),
            GoalKind::Invoice => profile.has("request_invoice"),
            GoalKind::Contact => true,
        }
    }

    /// Whether there is anything to book, as far as the catalogue tells.
    fn has_agenda(&self) -> bool {
        self.business.services.is_empty() || self.business.bookable().next().is_some()
    }

    /// Says that something is not done here. Where leads are gathered, the team is offered.
    fn decline(&mut self, kind: GoalKind) {
        let phrase = match kind {
            GoalKind::Book | GoalKind::Contact => Phrase::CannotBook,
            GoalKind::Move => Phrase::CannotMove,
            GoalKind::CancelVisit => Phrase::CannotCancel,
            GoalKind::Order => Phrase::CannotOrder,
            GoalKind::CancelOrder => Phrase::CannotCancelOrder,
            GoalKind::Redeem => Phrase::CannotRedeem,
            GoalKind::Invoice => Phrase::CannotInvoice,
        };
        if self.captures_leads() {
            self.state.begin(Goal::Contact);
            return;
        }
        self.say_with_contact(phrase, &[]);
    }

    /// Whether what the message wants was done a moment ago, and it only says yes to it once more.
    fn was_just_done(&mut self, kind: GoalKind) -> bool {
        let tool = match kind {
            GoalKind::CancelVisit => "cancel_appointment",
            GoalKind::CancelOrder => "cancel_order",
            GoalKind::Redeem => "redeem_reward",
            _ => return false,
        };
        let again = self
            .before
            .done
            .last()
            .is_some_and(|deed| deed.tool == tool)
            && self.consent == Consent::Yes;
        if again {
            self.say(Phrase::AlreadyDone, &[]);
        }
        again
    }

    /// Whether the message asks once more for the very thing that waits for a yes: "bueno, anúlala".
    pub(super) fn repeats_wish(&self) -> bool {
        let act = match self.state.goal.as_ref().map(Goal::kind) {
            Some(GoalKind::CancelVisit | GoalKind::CancelOrder) => Act::Cancel,
            Some(GoalKind::Redeem) => Act::Redeem,
            Some(GoalKind::Move) => Act::Reschedule,
            _ => return false,
        };
        self.before.awaited == Some(Awaited::Consent)
            && self.heard.does(act)
            && self.consent == Consent::Open
            && !self.heard.asks()
    }

    /// Whether the customer says yes to what was read back.
    pub(super) fn agrees(&self) -> bool {
        self.before.awaited == Some(Awaited::Consent)
            && self.did_nothing()
            && (self.consent == Consent::Yes || self.repeats_wish())
    }

    /// Whether nothing was done in this turn: one yes settles one thing.
    pub(super) fn did_nothing(&self) -> bool {
        self.state.done == self.before.done
    }

    /// Whether the message asks for something to be done, all of it and without a doubt: nothing has to be read
    /// back then.
    pub(super) fn commands(&self, act: Act) -> bool {
        let settled = matches!(self.consent, Consent::Open | Consent::Yes);
        self.heard.act(act) >= SURELY && settled && self.did_nothing() && !self.heard.asks()
    }

    /// Whether the message says in so many words that it shall be done.
    pub(super) fn confirms(&self) -> bool {
        self.consent != Consent::No
            && self.consent != Consent::Doubtful
            && self.heard.says("confirms")
            && self.did_nothing()
            && !self.heard.asks()
    }

    /// Gives up what is under way, where the message does.
    pub(super) fn leave(&mut self) -> Known<bool> {
        let Some(kind) = self.state.goal.as_ref().map(Goal::kind) else {
            return Ok(false);
        };
        let gives = [
            SpanKind::Payment,
            SpanKind::Name,
            SpanKind::Address,
            SpanKind::Date,
            SpanKind::Time,
        ];
        let gives = gives.iter().any(|kind| self.heard.has(*kind));
        let keeps = matches!(&self.state.goal, Some(Goal::Order(goal)) if !goal.lines.is_empty())
            && self.heard.says("as_it_is");
        if keeps {
            if let Some(Goal::Order(goal)) = &mut self.state.goal {
                goal.unclear.clear();
            }
            return Ok(false);
        }
        let gives_up = self.heard.says("leaves") && !self.heard.does(Act::Affirm) && !gives;
        let calls_off = self.heard.does(Act::Cancel)
            && matches!(kind, GoalKind::Book | GoalKind::Order | GoalKind::Redeem)
            && !self.names_part_of_goal();
        let new_wish = [
            Act::Book,
            Act::Order,
            Act::Reschedule,
            Act::Correct,
            Act::Swap,
        ];
        let wants = new_wish.iter().any(|act| self.heard.does(*act));
        if !(gives_up || calls_off) || wants {
            return Ok(false);
        }
        self.state.end();
        let questions = self.open_questions(false, false);
        self.say(Phrase::Left, &[]);
        self.answer_all(&questions)?;
        Ok(true)
    }

    /// Whether the message names a thing that is in the order under way, and so takes away a part of it.
    fn names_part_of_goal(&self) -> bool {
        matches!(self.state.goal, Some(Goal::Order(_)))
            && self.names_dish()
            && !self.heard.says("everything")
    }

    /// Takes what the message says into the goal under way. `false` when it says nothing for it.
    pub(super) fn take_in(&mut self) -> Known<bool> {
        let Some(goal) = self.state.goal.clone() else {
            return Ok(false);
        };
        let taken = match goal {
            Goal::Book(mut goal) => {
                let taken = self.take_in_visits(&mut goal)?;
                self.state.goal = Some(Goal::Book(goal));
                taken
            }
            Goal::Move(mut goal) => {
                let taken = self.take_in_move(&mut goal)?;
                self.state.goal = Some(Goal::Move(goal));
                taken
            }
            Goal::CancelVisit(mut goal) => {
                let taken = self.take_in_cancelled(&mut goal)?;
                self.state.goal = Some(Goal::CancelVisit(goal));
                taken
            }
            Goal::Order(mut goal) => {
                let taken = self.take_in_order(&mut goal)?;
                self.state.goal = Some(Goal::Order(goal));
                taken
            }
            Goal::Redeem(mut goal) => {
                let taken = self.take_in_reward(&mut goal)?;
                self.state.goal = Some(Goal::Redeem(goal));
                taken
            }
            Goal::Invoice(mut goal) => {
                let taken = self.take_in_tax_data(&mut goal);
                self.state.goal = Some(Goal::Invoice(goal));
                taken
            }
            Goal::Contact => self.state.customer != self.before.customer,
            Goal::CancelOrder(_) => false,
        };
        Ok(taken)
    }

    /// Whether the message asks when something can be had that can be booked, so that times are offered.
    fn asks_for_times(&self) -> bool {
        if !self.asks_when_free() {
            return false;
        }
        if self.heard.is_marked() {
            return self.has_agenda();
        }
        let named = self.services_asked(&self.heard.text).one();
        let service = named.or(self.before.topic.service);
        let bookable = service.and_then(|id| self.business.service(id));
        bookable.is_some_and(|service| service.bookable)
    }

    fn asks_when_free(&self) -> bool {
        self.heard
            .asks_about(QuestionTopic::Availability, "asks_when_free")
    }
}
