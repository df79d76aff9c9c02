//! Amounts of money, exact and of one currency.
//!
//! An amount is a whole number of the smallest unit of its currency, so that nothing is ever lost
//! to a fraction of binary. Sums that do not fit and sums of two currencies are refused instead of
//! being made.

mod currency;
mod format;
mod parse;
#[cfg(test)]
mod tests;

pub use currency::Currency;

use quipu_core::language::Language;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An amount of money, written `{"amount": 12050, "currency": "PEN"}` for S/ 120.50.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// In the smallest unit of the currency: céntimos of a sol, whole Chilean pesos.
    #[serde(rename = "amount")]
    #[schema(example = 12050)]
    pub minor: i64,
    pub currency: Currency,
}

/// Why an amount could not be read or reckoned with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoneyProblem {
    /// The text has no number, more than one, or something else beside it.
    NotAnAmount,
    /// The text names another currency than the one that was expected.
    OtherCurrency { expected: Currency },
    /// The text means one amount to some readers and another to others, such as `1.500`.
    Ambiguous,
    /// The currency has no unit as small as that.
    TooPrecise { decimals: u32 },
    /// The amount does not fit.
    TooLarge,
    /// Amounts of two currencies were put together.
    MixedCurrencies { left: Currency, right: Currency },
    /// A price, a fee or a discount below zero.
    Negative,
}

impl MoneyProblem {
    /// What a program knows the problem by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAnAmount => "not_an_amount",
            Self::OtherCurrency { .. } => "other_currency",
            Self::Ambiguous => "ambiguous_amount",
            Self::TooPrecise { .. } => "too_precise",
            Self::TooLarge => "amount_too_large",
            Self::MixedCurrencies { .. } => "mixed_currencies",
            Self::Negative => "negative_amount",
        }
    }

    /// The sentence for a person.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let es = language == Language::Es;
        match self {
            Self::NotAnAmount if es => "no es un importe, como 120.50".into(),
            Self::NotAnAmount => "is not an amount such as 120.50".into(),
            Self::OtherCurrency { expected } if es => {
                format!("está en otra moneda; se esperaba {expected}")
            }
            Self::OtherCurrency { expected } => {
                format!("is in another currency; {expected} was expected")
            }
            Self::Ambiguous if es => {
                "puede leerse de dos maneras; escribe los decimales, como 1,500.00".into()
            }
            Self::Ambiguous => "can be read in two ways; write the decimals, as in 1,500.00".into(),
            Self::TooPrecise { decimals } if es => format!("admite {decimals} decimales"),
            Self::TooPrecise { decimals } => format!("takes {decimals} decimals"),
            Self::TooLarge if es => "es demasiado grande".into(),
            Self::TooLarge => "is too large".into(),
            Self::MixedCurrencies { left, right } if es => format!("mezcla {left} y {right}"),
            Self::MixedCurrencies { left, right } => format!("mixes {left} and {right}"),
            Self::Negative if es => "no puede ser negativo".into(),
            Self::Negative => "must not be negative".into(),
        }
    }
}

impl Money {
    #[must_use]
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        Self::new(0, currency)
    }

    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.minor == 0
    }

    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.minor < 0
    }

    /// Reads an amount as people and files write it: `S/ 120`, `120.50`, `1,500.00`, `1.500,00`,
    /// `$ 80`. A sign or name of a currency may stand beside the number when it can be that of the
    /// currency that is expected; `$` is that of many.
    ///
    /// A point or comma with three digits behind it separates thousands where the country of the
    /// currency writes thousands so, and is refused where it would be the sign of its decimals.
    ///
    /// # Errors
    /// When the text is no amount, is one of another currency, can be read in two ways, or is more
    /// precise or larger than the currency can express.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, MoneyProblem> {
        parse::parse(text, currency)
    }

    /// The amount as a customer reads it, without decimals when they are all zero.
    ///
    /// In Spanish the number is written as the country of the currency writes it: `S/ 1,500.50`,
    /// `$1,500.50 MXN`, `$1.500 COP`, `12,50 €`. In English it is always `1,500.50`; where that
    /// country would read such a point or comma the other way round, thousands keep their decimals
    /// (`€1,500.00`), so that neither reader is misled. The sign `$` is that of many currencies, so
    /// the code follows it.
    #[must_use]
    pub fn format(self, language: Language) -> String {
        format::format(self, language)
    }

    /// The amount for programs and files: a point, all decimals, no sign of the currency.
    #[must_use]
    pub fn plain(self) -> String {
        let sign = if self.is_negative() { "-" } else { "" };
        let per_unit = self.currency.minor_per_unit();
        let minor = self.minor.unsigned_abs();
        let (units, rest) = (minor / per_unit, minor % per_unit);
        match self.currency.decimals() as usize {
            0 => format!("{sign}{units}"),
            width => format!("{sign}{units}.{rest:0width$}"),
        }
    }

    /// # Errors
    /// When the currencies differ or the sum does not fit.
    pub fn plus(self, other: Self) -> Result<Self, MoneyProblem> {
        self.same_currency(other)?;
        self.with(self.minor.checked_add(other.minor))
    }

    /// # Errors
    /// When the currencies differ or the difference does not fit.
    pub fn minus(self, other: Self) -> Result<Self, MoneyProblem> {
        self.same_currency(other)?;
        self.with(self.minor.checked_sub(other.minor))
    }

    /// # Errors
    /// When the product does not fit.
    pub fn times(self, count: u32) -> Result<Self, MoneyProblem> {
        self.with(self.minor.checked_mul(i64::from(count)))
    }

    /// So many hundredths of the amount, rounded half away from zero to the smallest unit.
    ///
    /// # Errors
    /// When the result does not fit.
    pub fn percent(self, percent: u32) -> Result<Self, MoneyProblem> {
        let hundredfold = i128::from(self.minor) * i128::from(percent);
        let half = if hundredfold < 0 { -50 } else { 50 };
        self.with(i64::try_from((hundredfold + half) / 100).ok())
    }

    /// The sum of amounts of one currency; zero when there are none.
    ///
    /// # Errors
    /// When an amount is of another currency or the sum does not fit.
    pub fn sum(
        amounts: impl IntoIterator<Item = Self>,
        currency: Currency,
    ) -> Result<Self, MoneyProblem> {
        let mut amounts = amounts.into_iter();
        amounts.try_fold(Self::zero(currency), Self::plus)
    }

    /// Whether this is as much as the other or more.
    ///
    /// # Errors
    /// When the currencies differ.
    pub fn is_at_least(self, other: Self) -> Result<bool, MoneyProblem> {
        self.same_currency(other)?;
        Ok(self.minor >= other.minor)
    }

    /// The smaller of two amounts.
    ///
    /// # Errors
    /// When the currencies differ.
    pub fn at_most(self, other: Self) -> Result<Self, MoneyProblem> {
        self.same_currency(other)?;
        self.with(Some(self.minor.min(other.minor)))
    }

    /// The amount itself, unless it is below zero.
    ///
    /// # Errors
    /// When it is.
    pub fn not_negative(self) -> Result<Self, MoneyProblem> {
        if self.is_negative() {
            return Err(MoneyProblem::Negative);
        }
        Ok(self)
    }

    fn same_currency(self, other: Self) -> Result<(), MoneyProblem> {
        if self.currency == other.currency {
            return Ok(());
        }
        Err(MoneyProblem::MixedCurrencies {
            left: self.currency,
            right: other.currency,
        })
    }

    fn with(self, minor: Option<i64>) -> Result<Self, MoneyProblem> {
        let minor = minor.ok_or(MoneyProblem::TooLarge)?;
        Ok(Self::new(minor, self.currency))
    }
}
