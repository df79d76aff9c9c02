//! What each tool takes. The documentation of a field is what a model reads about it.
//!
//! Things can be named as the customer names them; ids are those that another tool gave. No tool
//! takes the id of a tenant, a lead or a conversation: those come from the turn.

use jiff::civil::Date;
use quipu_commerce::business::{PolicyKind, TemplateTrigger};
use quipu_commerce::order::OrderType;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Structs of arguments. What several of them take stands in [`sharing`], under the name that they
/// give in brackets.
macro_rules! arguments {
    ($($name:ident $([$($shared:ident),+])? { $($fields:tt)* })+) => {
        $(sharing! { $name [$($($shared)+)?] { $($fields)* } })+
    };
}

macro_rules! sharing {
    ($name:ident [when $($more:ident)*] { $($fields:tt)* }) => {
        sharing! { $name [$($more)*] {
            /// A slot that `get_available_slots` offered. It says when, what, where and with whom.
            #[schema(min_length = 1, max_length = 200)]
            slot_id: Option<String>,
            /// YYYY-MM-DD, when there is no `slot_id`.
            #[schema(value_type = Option<String>, format = Date)]
            date: Option<Date>,
            /// HH:MM, when there is no `slot_id`.
            #[schema(pattern = "^([01]?[0-9]|2[0-3]):[0-5][0-9]$", max_length = 5)]
            time: Option<String>,
            $($fields)*
        } }
    };
    ($name:ident [what $($more:ident)*] { $($fields:tt)* }) => {
        sharing! { $name [$($more)*] {
            /// What the customer calls the service.
            #[schema(min_length = 1, max_length = 200)]
            service_name: Option<String>,
            service_id: Option<Uuid>,
            #[schema(min_length = 1, max_length = 120)]
            branch_name: Option<String>,
            branch_id: Option<Uuid>,
            #[schema(min_length = 1, max_length = 120)]
            staff_name: Option<String>,
            staff_id: Option<Uuid>,
            /// How many people come, for a table.
            #[schema(minimum = 1, maximum = 1000)]
            party_size: Option<u16>,
            /// The customer cannot wait: the soonest times, without the usual notice.
            #[serde(default)]
            urgent: bool,
            $($fields)*
        } }
    };
    ($name:ident [] { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }
    };
}

arguments! {
    Nothing {}

    BranchInfo {
        /// The name of the branch, or a part of it. All branches when left out.
        #[schema(min_length = 1, max_length = 120)]
        branch_name: Option<String>,
        branch_id: Option<Uuid>,
    }

    StaffInfo {
        /// The name of a person, or a part of it.
        #[schema(min_length = 1, max_length = 120)]
        staff_name: Option<String>,
        /// What they are good at, such as "ortodoncia".
        #[schema(min_length = 1, max_length = 120)]
        specialty: Option<String>,
        /// Only those who attend at this branch.
        #[schema(min_length = 1, max_length = 120)]
        branch_name: Option<String>,
    }

    ServiceInfo {
        /// What the customer calls the service.
        #[schema(min_length = 1, max_length = 200)]
        service_name: String,
    }

    ServiceList {
        /// Only those of a category.
        #[schema(min_length = 1, max_length = 120)]
        category: Option<String>,
    }

    ServiceCatalogue {
        /// Only those of a category.
        #[schema(min_length = 1, max_length = 120)]
        category: Option<String>,
        /// Whether promotions are told.
        #[serde(default = "yes")]
        #[schema(default = true)]
        include_promotions: bool,
    }

    AvailableSlots [what] {
        /// The first day, YYYY-MM-DD. The next seven days when left out.
        #[schema(value_type = Option<String>, format = Date)]
        date: Option<Date>,
        /// How many days from the date on.
        #[schema(minimum = 1, maximum = 60)]
        days: Option<u16>,
        /// HH:MM, where the customer named an hour.
        #[schema(pattern = "^([01]?[0-9]|2[0-3]):[0-5][0-9]$", max_length = 5)]
        time: Option<String>,
        /// How many to offer; twelve when left out.
        #[schema(minimum = 1, maximum = 50)]
        limit: Option<u16>,
    }

    PolicyQuestion {
        #[schema(inline)]
        policy_type: PolicyKind,
    }

    FaqQuestion {
        /// What the customer asks. All questions when left out.
        #[schema(min_length = 1, max_length = 500)]
        question: Option<String>,
        #[schema(min_length = 1, max_length = 100)]
        category: Option<String>,
    }

    KnowledgeQuestion {
        /// The question or topic to search for.
        #[schema(min_length = 1, max_length = 1000)]
        query: String,
        /// Only texts of a kind.
        #[schema(inline)]
        category: Option<KnowledgeCategory>,
        /// How many passages; three when left out.
        #[schema(minimum = 1, maximum = 10)]
        top_k: Option<u16>,
    }

    TemplateQuestion {
        /// What it is for.
        #[schema(inline)]
        trigger_type: Option<TemplateTrigger>,
        /// The name of the template, or what the customer said that it answers.
        #[schema(min_length = 1, max_length = 500)]
        situation: Option<String>,
        /// What stands in its places, by their names.
        #[serde(default)]
        variables: BTreeMap<String, String>,
    }

    CompetitorQuestion {
        /// Whom the customer named.
        #[schema(min_length = 1, max_length = 200)]
        competitor_name: String,
    }

    MenuQuestion {
        /// Only a part of the menu.
        #[schema(min_length = 1, max_length = 120)]
        category: Option<String>,
        /// What the customer calls one thing, to see its options and price.
        #[schema(min_length = 1, max_length = 200)]
        item_name: Option<String>,
    }

    OrderQuestion {
        /// The number of the order. The customer's latest when left out.
        #[schema(minimum = 1)]
        order_number: Option<i64>,
    }

    Symptoms {
        /// What the customer feels, in their words.
        #[schema(min_items = 1, max_items = 20)]
        symptoms: Vec<String>,
    }

    NewAppointment [when, what] {
        /// In whose name.
        #[schema(min_length = 1, max_length = 120)]
        customer_name: Option<String>,
        #[schema(max_length = 2000)]
        notes: Option<String>,
    }

    MovedAppointment [when] {
        /// The customer's only appointment ahead when left out.
        appointment_id: Option<Uuid>,
        /// Somebody else than before.
        #[schema(min_length = 1, max_length = 120)]
        staff_name: Option<String>,
    }

    CancelledAppointment {
        /// The customer's only appointment ahead when left out.
        appointment_id: Option<Uuid>,
        #[schema(max_length = 2000)]
        reason: Option<String>,
    }

    LeadInfo {
        #[schema(min_length = 1, max_length = 120)]
        name: Option<String>,
        #[schema(min_length = 3, max_length = 254)]
        email: Option<String>,
        #[schema(min_length = 4, max_length = 40)]
        phone: Option<String>,
    }

    OrderedItem {
        /// What the customer calls it.
        #[schema(min_length = 1, max_length = 200)]
        name: String,
        #[serde(default = "one")]
        #[schema(minimum = 1, maximum = 99, default = 1)]
        quantity: i64,
        /// Choices by name, such as "grande" or "sin cebolla".
        #[serde(default)]
        #[schema(max_items = 20)]
        options: Vec<String>,
        #[schema(max_length = 500)]
        notes: Option<String>,
    }

    NewOrder {
        /// Everything the customer wants.
        #[schema(inline, min_items = 1, max_items = 50)]
        items: Vec<OrderedItem>,
        #[schema(inline)]
        order_type: OrderType,
        /// When the customer wants it, YYYY-MM-DDTHH:MM. As soon as possible when left out.
        #[schema(max_length = 40)]
        scheduled_time: Option<String>,
        /// Where to bring it, for a delivery.
        #[schema(min_length = 1, max_length = 500)]
        delivery_address: Option<String>,
        #[schema(min_length = 1, max_length = 120)]
        branch_name: Option<String>,
        /// How the customer will pay, such as "efectivo".
        #[schema(min_length = 1, max_length = 120)]
        payment_method: Option<String>,
        /// The code of a redeemed reward.
        #[schema(min_length = 1, max_length = 40)]
        redemption_code: Option<String>,
        #[schema(min_length = 1, max_length = 120)]
        customer_name: Option<String>,
        #[schema(max_length = 2000)]
        notes: Option<String>,
    }

    CancelledOrder {
        /// The customer's only open order when left out.
        #[schema(minimum = 1)]
        order_number: Option<i64>,
        #[schema(max_length = 2000)]
        reason: Option<String>,
    }

    Award {
        /// The number of a completed order of the customer.
        #[schema(minimum = 1)]
        order_number: Option<i64>,
        /// A completed appointment of the customer.
        appointment_id: Option<Uuid>,
    }

    RewardChoice {
        /// What the customer calls the reward.
        #[schema(min_length = 1, max_length = 200)]
        reward_name: String,
    }

    InvoiceData {
        /// The folio of the ticket.
        #[schema(min_length = 1, max_length = 60)]
        folio: String,
        /// The customer's RFC.
        #[schema(min_length = 10, max_length = 20)]
        rfc: String,
        /// The name or company as the tax office has it.
        #[schema(min_length = 1, max_length = 300)]
        name: String,
        /// The code of the tax regime, such as 612.
        #[schema(min_length = 1, max_length = 10)]
        tax_regime: String,
        /// The code of the use of the CFDI, such as G03.
        #[schema(min_length = 1, max_length = 10)]
        cfdi_use: String,
        #[schema(min_length = 3, max_length = 254)]
        email: String,
        /// The postal code of the tax address.
        #[schema(pattern = "^[0-9]{5}$")]
        postal_code: Option<String>,
        /// The total of the ticket as it is written there.
        #[schema(max_length = 40)]
        total: Option<String>,
        /// The day of the ticket, YYYY-MM-DD.
        #[schema(value_type = Option<String>, format = Date)]
        ticket_date: Option<Date>,
    }

    Escalation {
        /// Why a person is needed, for that person to read.
        #[schema(min_length = 1, max_length = 500)]
        reason: String,
    }

    ReceiptPhoto {
        /// The file that the customer sent.
        attachment_id: Uuid,
    }
}

/// The texts of the business that a search can be held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KnowledgeCategory {
    /// Documents and articles.
    Articles,
    Policies,
    Templates,
    Competitors,
}

const fn one() -> i64 {
    1
}

const fn yes() -> bool {
    true
}
