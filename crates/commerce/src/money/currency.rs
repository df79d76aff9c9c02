//! The currencies that are known, and how each is written where it is used.

use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// Which sign separates the decimals where a currency is used; thousands take the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecimalSign {
    Point,
    Comma,
}

/// Where the sign of a currency stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// `$80`
    Before,
    /// `S/ 80`
    BeforeWithSpace,
    /// `80 €` in Spanish, and before the number in English.
    After,
}

macro_rules! currencies {
    ($($variant:ident = $code:literal, $decimals:literal, $sign:ident, $symbol:literal,
        $placement:ident, [$($mark:literal),* $(,)?];)+) => {
        /// A currency by its ISO 4217 code. Those of the places where the product is used are
        /// known; others are refused rather than reckoned with a wrong number of decimals.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
            ToSchema,
        )]
        #[serde(rename_all = "UPPERCASE")]
        pub enum Currency {
            $($variant,)+
        }

        impl Currency {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The ISO 4217 code.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// How many decimals an amount has, by ISO 4217.
            #[must_use]
            pub const fn decimals(self) -> u32 {
                match self { $(Self::$variant => $decimals,)+ }
            }

            /// The sign that customers know the currency by.
            #[must_use]
            pub const fn symbol(self) -> &'static str {
                match self { $(Self::$variant => $symbol,)+ }
            }

            pub(super) const fn decimal_sign(self) -> DecimalSign {
                match self { $(Self::$variant => DecimalSign::$sign,)+ }
            }

            pub(super) const fn placement(self) -> Placement {
                match self { $(Self::$variant => Placement::$placement,)+ }
            }

            /// What people write beside a number of this currency, folded.
            pub(crate) const fn marks(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($mark),*],)+ }
            }
        }
    };
}

currencies! {
    Pen = "PEN", 2, Point, "S/", BeforeWithSpace, ["s/.", "s/", "pen", "soles", "sol"];
    Mxn = "MXN", 2, Point, "$", Before,
        ["$", "mx$", "mxn", "pesos mexicanos", "pesos", "peso", "m.n.", "mn"];
    Cop = "COP", 2, Comma, "$", Before, ["$", "cop$", "cop", "pesos", "peso"];
    Clp = "CLP", 0, Comma, "$", Before, ["$", "clp$", "clp", "pesos", "peso"];
    Ars = "ARS", 2, Comma, "$", Before, ["$", "ar$", "ars", "pesos", "peso"];
    Eur = "EUR", 2, Comma, "€", After, ["€", "eur", "euros", "euro"];
    Usd = "USD", 2, Point, "$", Before,
        ["us$", "u$s", "$", "usd", "dolares", "dolar", "dollars", "dollar"];
    Brl = "BRL", 2, Comma, "R$", BeforeWithSpace, ["r$", "brl", "reales", "reais", "real"];
    Uyu = "UYU", 2, Comma, "$", Before, ["$u", "$", "uyu", "pesos", "peso"];
    Bob = "BOB", 2, Comma, "Bs", BeforeWithSpace, ["bs.", "bs", "bob", "bolivianos", "boliviano"];
    Pyg = "PYG", 0, Comma, "₲", BeforeWithSpace, ["₲", "gs.", "gs", "pyg", "guaranies", "guarani"];
    Crc = "CRC", 2, Comma, "₡", Before, ["₡", "¢", "crc", "colones", "colon"];
    Gtq = "GTQ", 2, Point, "Q", Before, ["q.", "q", "gtq", "quetzales", "quetzal"];
    Dop = "DOP", 2, Point, "RD$", Before, ["rd$", "$", "dop", "pesos", "peso"];
    Hnl = "HNL", 2, Point, "L", BeforeWithSpace, ["l.", "l", "hnl", "lempiras", "lempira"];
    Nio = "NIO", 2, Point, "C$", Before, ["c$", "nio", "cordobas", "cordoba"];
    Ves = "VES", 2, Comma, "Bs.", BeforeWithSpace,
        ["bs.", "bs", "ves", "bolivares", "bolivar"];
    // The balboa is worth a dollar, and prices in Panama are written with either sign.
    Pab = "PAB", 2, Point, "B/.", BeforeWithSpace, ["b/.", "b/", "$", "pab", "balboas", "balboa"];
}

impl Currency {
    /// Reads a code, in capitals or not.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|currency| currency.as_str().eq_ignore_ascii_case(code.trim()))
    }

    /// The currency of the country that a locale such as `es-PE` names; the dollar when it names
    /// none that is known.
    #[must_use]
    pub fn of_locale(locale: &str) -> Self {
        let country = locale.split_once('-').map_or("", |(_, country)| country);
        match country {
            "PE" => Self::Pen,
            "MX" => Self::Mxn,
            "CO" => Self::Cop,
            "CL" => Self::Clp,
            "AR" => Self::Ars,
            "ES" => Self::Eur,
            "BR" => Self::Brl,
            "UY" => Self::Uyu,
            "BO" => Self::Bob,
            "PY" => Self::Pyg,
            "CR" => Self::Crc,
            "GT" => Self::Gtq,
            "DO" => Self::Dop,
            "HN" => Self::Hnl,
            "NI" => Self::Nio,
            "VE" => Self::Ves,
            "PA" => Self::Pab,
            // Ecuador and El Salvador have the dollar too.
            _ => Self::Usd,
        }
    }

    /// How many of the smallest unit make one of the currency.
    pub(super) const fn minor_per_unit(self) -> u64 {
        10_u64.pow(self.decimals())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
