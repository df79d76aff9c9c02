//! The kinds of things a business has.

macro_rules! kinds {
    ($($variant:ident = $text:literal, $most:literal;)+) => {
        /// The kinds of things a catalogue has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ItemKind {
            $($variant,)+
        }

        impl ItemKind {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// How many of them a tenant may have.
            #[must_use]
            pub const fn most(self) -> u64 {
                match self { $(Self::$variant => $most,)+ }
            }
        }
    };
}

kinds! {
    Branch = "branch", 200;
    Staff = "staff", 1_000;
    Table = "table", 1_000;
    Service = "service", 2_000;
    MenuCategory = "menu_category", 100;
    Dish = "menu_item", 1_000;
    DeliveryZone = "delivery_zone", 200;
    Policy = "policy", 200;
    Faq = "faq", 10_000;
    Article = "article", 2_000;
    ResponseTemplate = "response_template", 500;
    Competitor = "competitor", 200;
    Reward = "reward", 200;
    Instruction = "instruction", 200;
}

impl ItemKind {
    /// What is for whoever answers customers and not for customers: how to behave, how to speak of
    /// competitors, and templates whose places are still empty. A search finds it like the rest; only
    /// who may read the catalogue itself is shown it.
    pub const INTERNAL: &[Self] = &[Self::ResponseTemplate, Self::Competitor, Self::Instruction];
}
