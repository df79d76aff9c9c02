//! What a conversation has come to: what is wanted, what is known of it, and what was asked last.
//!
//! It is stored with the conversation. Nothing is recovered from the wording of the agent's own sentences.

use jiff::civil::Date;
use quipu_commerce::ordering::Line;
use quipu_core::agent::Intent;
use quipu_core::lead::Temperature;
use quipu_core::reading::QuestionTopic;
use quipu_language::when::When;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// The version that this program writes. A state of another version is begun anew.
const VERSION: u32 = 1;
/// How many goals wait behind the one under way.
const MOST_ASIDE: usize = 3;
const MOST_DONE: usize = 8;

/// Everything that the dialogue remembers of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DialogueState {
    version: u32,
    /// What is being settled.
    pub(crate) goal: Option<Goal>,
    /// What was being settled before, the latest last.
    pub(crate) aside: Vec<Goal>,
    /// What the customer was asked for last.
    pub(crate) awaited: Option<Awaited>,
    pub(crate) customer: CustomerNotes,
    /// What was spoken of last.
    pub(crate) topic: SpokenTopic,
    /// What was done, the latest last.
    pub(crate) done: Vec<DoneDeed>,
    /// How many turns in a row came no further.
    pub(crate) stuck: u8,
    /// A person was called.
    pub(crate) handed_over: bool,
    /// Somebody may be in danger, and was told what to do.
    pub(crate) alarmed: bool,
    /// What was felt, in the customer's words.
    pub(crate) symptoms: Vec<String>,
    pub(crate) temperature: Option<Temperature>,
    /// What the last message wanted.
    pub(crate) intent: Option<Intent>,
}

/// What a customer wants to have done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    Book(BookGoal),
    Move(Box<MoveGoal>),
    CancelVisit(CancelVisitGoal),
    Order(Box<OrderGoal>),
    CancelOrder(CancelOrderGoal),
    Redeem(RedeemGoal),
    Invoice(InvoiceGoal),
    /// The team shall get in touch.
    Contact,
}

/// The kinds of goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalKind {
    Book,
    Move,
    CancelVisit,
    Order,
    CancelOrder,
    Redeem,
    Invoice,
    Contact,
}

impl Goal {
    pub(crate) const fn kind(&self) -> GoalKind {
        match self {
            Self::Book(_) => GoalKind::Book,
            Self::Move(_) => GoalKind::Move,
            Self::CancelVisit(_) => GoalKind::CancelVisit,
            Self::Order(_) => GoalKind::Order,
            Self::CancelOrder(_) => GoalKind::CancelOrder,
            Self::Redeem(_) => GoalKind::Redeem,
            Self::Invoice(_) => GoalKind::Invoice,
            Self::Contact => GoalKind::Contact,
        }
    }
}

/// What the customer was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Awaited {
    Service,
    Branch,
    Day,
    /// One of the times on offer.
    Slot,
    Party,
    Name,
    Phone,
    /// A yes to what was read back.
    Consent,
    /// Which of the customer's visits is meant.
    WhichVisit,
    Items,
    Handing,
    Address,
    Payment,
    Reward,
    TaxData,
    /// Whether a person shall be called.
    Person,
    /// Whether what the agent offered shall be done.
    Offer(OfferedGoal),
}

/// What the agent offered to do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OfferedGoal {
    /// To book something.
    Book {
        service: Option<Uuid>,
    },
    /// To take the order for the time when the business opens.
    OrderLater {
        date: Date,
        minute: u16,
    },
    /// To let the customer fetch what cannot be brought.
    Pickup,
    Order,
}

/// Who the customer said they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CustomerNotes {
    pub(crate) name: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) email: Option<String>,
}

/// What the conversation was about last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SpokenTopic {
    pub(crate) service: Option<Uuid>,
    pub(crate) dish: Option<Uuid>,
    pub(crate) branch: Option<Uuid>,
    /// The services of which several were told.
    pub(crate) among: Vec<Uuid>,
    /// Whether something was told of the service.
    pub(crate) service_told: bool,
    /// What the last question was about.
    pub(crate) asked: Option<QuestionTopic>,
    /// Which of what the customer has was spoken of.
    pub(crate) own: Option<OwnKind>,
    /// The day that was asked about.
    pub(crate) day: Option<Date>,
    /// The last question, for one that only makes sense after it.
    pub(crate) question: Option<String>,
}

/// What a customer may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OwnKind {
    Visit,
    Order,
}

/// Something that was done for the customer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DoneDeed {
    /// The tool that did it.
    pub(crate) tool: String,
    /// What it was done with, by which a repetition is known.
    pub(crate) with: Value,
    /// What it came to.
    pub(crate) total: Option<String>,
    /// The number or id of what it made.
    pub(crate) number: Option<String>,
}

/// Visits to be booked. Most often it is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct BookGoal {
    pub(crate) visits: Vec<VisitWish>,
    pub(crate) urgent: bool,
    /// Each of several visits comes right after the one before.
    pub(crate) in_turn: bool,
    /// What was read back, and waits for a yes.
    pub(crate) read_back: Vec<AgreedVisit>,
}

/// A visit as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct VisitWish {
    pub(crate) service: Option<Uuid>,
    /// What was named and is no service.
    pub(crate) unknown: Option<String>,
    /// The services that what was named may be.
    pub(crate) among: Vec<Uuid>,
    pub(crate) branch: Option<Uuid>,
    pub(crate) staff: Option<Uuid>,
    pub(crate) when: When,
    pub(crate) party: Option<u16>,
    /// Whom it is for, if not the customer.
    pub(crate) whose: Option<String>,
    /// In whose name it is.
    pub(crate) name: Option<String>,
    /// The times on offer.
    pub(crate) offered: Vec<SlotOffer>,
    pub(crate) chosen: Option<SlotOffer>,
}

/// A time that can be booked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SlotOffer {
    pub(crate) slot_id: String,
    pub(crate) date: Date,
    pub(crate) minute: u16,
    pub(crate) branch: Option<String>,
    pub(crate) staff: Option<String>,
}

/// A visit with everything that it is booked with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AgreedVisit {
    pub(crate) service: Option<Uuid>,
    pub(crate) slot: SlotOffer,
    pub(crate) party: Option<u16>,
    pub(crate) whose: Option<String>,
    pub(crate) name: Option<String>,
}

/// A visit of the customer that shall be at another time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct MoveGoal {
    pub(crate) visit: Option<OwnVisit>,
    pub(crate) when: When,
    pub(crate) staff: Option<Uuid>,
    pub(crate) offered: Vec<SlotOffer>,
    pub(crate) chosen: Option<SlotOffer>,
    /// What was read back, and waits for a yes.
    pub(crate) read_back: Option<SlotOffer>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CancelVisitGoal {
    pub(crate) visit: Option<OwnVisit>,
    /// The visit that was read back, and waits for a yes.
    pub(crate) read_back: Option<Uuid>,
}

/// A visit that the customer has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OwnVisit {
    pub(crate) appointment_id: Uuid,
    #[serde(default)]
    pub(crate) service: String,
    pub(crate) date: Date,
    pub(crate) time: String,
    #[serde(default)]
    pub(crate) branch_name: Option<String>,
    #[serde(default)]
    pub(crate) staff_name: Option<String>,
    #[serde(default)]
    pub(crate) table_name: Option<String>,
    #[serde(default)]
    pub(crate) party_size: Option<u16>,
}

/// An order as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OrderGoal {
    pub(crate) lines: Vec<BasketLine>,
    /// What was ordered and is not clear yet; the first of them was asked about.
    pub(crate) unclear: Vec<Line>,
    pub(crate) handing: Option<Handing>,
    pub(crate) address: Option<String>,
    /// The zone that the address is in.
    pub(crate) zone: Option<String>,
    pub(crate) branch: Option<Uuid>,
    pub(crate) payment: Option<String>,
    /// What of several the way of paying may be.
    pub(crate) payment_among: Vec<String>,
    pub(crate) scheduled: Option<(Date, u16)>,
    pub(crate) name: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) reward: Option<RewardWish>,
    /// What was read back, and waits for a yes.
    pub(crate) read_back: Option<Value>,
}

impl OrderGoal {
    /// Puts so many of an item in.
    pub(crate) fn put(&mut self, item: &str, quantity: u32) {
        match self.lines.iter_mut().find(|line| line.item == item) {
            Some(line) => line.quantity = line.quantity.saturating_add(quantity),
            None => self.lines.push(BasketLine {
                item: item.to_owned(),
                quantity,
                options: Vec::new(),
                notes: Vec::new(),
            }),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Handing {
    Pickup,
    Delivery,
}

/// A line of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BasketLine {
    pub(crate) item: String,
    pub(crate) quantity: u32,
    #[serde(default)]
    pub(crate) options: Vec<String>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

/// A reward that the customer wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RewardWish {
    pub(crate) name: String,
    pub(crate) cost: i64,
    /// The code of the reward, once points were given for it: they are given once.
    #[serde(default)]
    pub(crate) code: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CancelOrderGoal {
    pub(crate) number: Option<i64>,
    /// The order that was read back, and waits for a yes.
    pub(crate) read_back: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RedeemGoal {
    pub(crate) reward: Option<RewardWish>,
    /// The reward that was read back, and waits for a yes.
    pub(crate) read_back: Option<String>,
}

/// The data that an invoice needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct InvoiceGoal {
    pub(crate) folio: Option<String>,
    pub(crate) rfc: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) tax_regime: Option<String>,
    pub(crate) cfdi_use: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) postal_code: Option<String>,
}

impl DialogueState {
    /// Reads a stored state. One that this version cannot read is begun anew.
    #[must_use]
    pub fn read(stored: &Value) -> Self {
        let read = Self::deserialize(stored).unwrap_or_default();
        if read.version == VERSION {
            read
        } else {
            Self::default()
        }
    }

    /// What the customer was asked for, as the supervisor calls it.
    #[must_use]
    pub fn awaited_name(&self) -> Option<&'static str> {
        Some(match self.awaited.as_ref()? {
            Awaited::Service | Awaited::WhichVisit => "service",
            Awaited::Branch => "branch",
            Awaited::Day => "day",
            Awaited::Slot => "time",
            Awaited::Party => "party_size",
            Awaited::Name => "name",
            Awaited::Phone => "phone",
            Awaited::Consent | Awaited::Person | Awaited::Offer(_) => "confirmation",
            Awaited::Items => "order_items",
            Awaited::Handing => "delivery_or_pickup",
            Awaited::Address => "address",
            Awaited::Payment => "payment",
            Awaited::Reward => "reward",
            Awaited::TaxData => "tax_data",
        })
    }

    /// What the last message wanted.
    #[must_use]
    pub fn last_intent(&self) -> Option<Intent> {
        self.intent
    }

    /// Waits for nothing any more, after somebody else spoke.
    pub fn await_nothing(&mut self) {
        self.awaited = None;
    }

    /// The state as it is stored.
    #[must_use]
    pub fn stored(&self) -> Value {
        let state = Self {
            version: VERSION,
            ..self.clone()
        };
        serde_json::to_value(state).unwrap_or_default()
    }

    /// Begins a goal. What was under way waits, unless it is of the same kind.
    pub(crate) fn begin(&mut self, goal: Goal) {
        if let Some(before) = self.goal.take() {
            let same = |other: &Goal| other.kind() == before.kind();
            self.aside.retain(|other| !same(other));
            if before.kind() != goal.kind() {
                self.aside.push(before);
            }
        }
        self.aside.retain(|other| other.kind() != goal.kind());
        if self.aside.len() > MOST_ASIDE {
            self.aside.remove(0);
        }
        self.awaited = None;
        self.goal = Some(goal);
    }

    /// Leaves the goal under way until somebody wants it again.
    pub(crate) fn lay_aside(&mut self) {
        let goal = self.goal.take();
        self.aside.extend(goal);
        let many = self.aside.len().saturating_sub(MOST_ASIDE);
        self.aside.drain(..many);
        self.awaited = None;
    }

    /// Ends the goal under way. What waited goes on.
    pub(crate) fn end(&mut self) {
        self.goal = self.aside.pop();
        self.awaited = None;
    }

    /// Takes the goal of a kind back to the front, if it waits.
    pub(crate) fn resume(&mut self, kind: GoalKind) -> bool {
        let Some(at) = self.aside.iter().position(|goal| goal.kind() == kind) else {
            return false;
        };
        let goal = self.aside.remove(at);
        self.begin(goal);
        true
    }

    pub(crate) fn remember(&mut self, deed: DoneDeed) {
        self.done.push(deed);
        if self.done.len() > MOST_DONE {
            self.done.remove(0);
        }
    }

    /// The last deed of a tool.
    pub(crate) fn last_done(&self, tool: &str) -> Option<&DoneDeed> {
        self.done.iter().rev().find(|deed| deed.tool == tool)
    }

    /// Makes the temperature at least so warm.
    pub(crate) fn warm(&mut self, temperature: Temperature) {
        let rank = |temperature: Temperature| match temperature {
            Temperature::Hot => 2,
            Temperature::Warm => 1,
            Temperature::Cold => 0,
        };
        if self
            .temperature
            .is_none_or(|before| rank(temperature) > rank(before))
        {
            self.temperature = Some(temperature);
        }
    }
}
