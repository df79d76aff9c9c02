//! Amounts as customers read them.

use super::Money;
use super::currency::{DecimalSign, Placement};
use quipu_core::language::Language;

pub(super) fn format(money: Money, language: Language) -> String {
    let currency = money.currency;
    let number = number(money, language);
    let sign = if money.is_negative() { "-" } else { "" };
    let symbol = currency.symbol();
    match (currency.placement(), language) {
        (Placement::After, Language::Es) => format!("{sign}{number} {symbol}"),
        (Placement::BeforeWithSpace, _) => format!("{sign}{symbol} {number}"),
        (Placement::Before | Placement::After, _) if symbol == "$" => {
            format!("{sign}{symbol}{number} {currency}")
        }
        (Placement::Before | Placement::After, _) => format!("{sign}{symbol}{number}"),
    }
}

/// The digits without the sign.
fn number(money: Money, language: Language) -> String {
    let currency = money.currency;
    let at_home = currency.decimal_sign();
    let written = match language {
        Language::Es => at_home,
        Language::En => DecimalSign::Point,
    };
    let (thousands, decimal) = match written {
        DecimalSign::Point => (',', '.'),
        DecimalSign::Comma => ('.', ','),
    };
    let per_unit = currency.minor_per_unit();
    let minor = money.minor.unsigned_abs();
    let (units, rest) = (minor / per_unit, minor % per_unit);
    let mut number = grouped(units, thousands);
    // Somebody at home would read `1,500` as one and a half.
    let misleading = written != at_home && units >= 1000;
    if currency.decimals() > 0 && (rest > 0 || misleading) {
        let width = currency.decimals() as usize;
        number = format!("{number}{decimal}{rest:0width$}");
    }
    number
}

fn grouped(units: u64, separator: char) -> String {
    let digits = units.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}
