use super::*;
use MoneyProblem::{Ambiguous, NotAnAmount, TooLarge};
use proptest::prelude::*;
use quipu_core::language::Language::{En, Es};
use serde_json::json;

fn read(text: &str, currency: Currency) -> Result<i64, MoneyProblem> {
    Money::parse(text, currency).map(|money| money.minor)
}

#[test]
fn it_travels_in_its_smallest_unit() {
    let money = Money::new(12050, Currency::Pen);
    let written = json!({ "amount": 12050, "currency": "PEN" });
    assert_eq!(serde_json::to_value(money).unwrap(), written);
    assert_eq!(serde_json::from_value::<Money>(written).unwrap(), money);
    for wrong in [
        json!({ "amount": 1, "currency": "JPY" }),
        json!({ "amount": 1, "currency": "pen" }),
        json!({ "amount": 1.5, "currency": "PEN" }),
        json!({ "amount": 1, "currency": "PEN", "more": 1 }),
    ] {
        assert!(
            serde_json::from_value::<Money>(wrong.clone()).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn codes_are_those_of_the_table() {
    for currency in Currency::ALL {
        assert_eq!(Currency::parse(currency.as_str()), Some(*currency));
        assert_eq!(serde_json::to_value(currency).unwrap(), currency.as_str());
    }
    assert_eq!(Currency::parse(" mxn "), Some(Currency::Mxn));
    assert_eq!(Currency::parse("JPY"), None);
    let whole: Vec<_> = Currency::ALL.iter().filter(|c| c.decimals() == 0).collect();
    assert_eq!(whole, [&Currency::Clp, &Currency::Pyg]);
}

#[test]
fn amounts_are_read_as_people_write_them() {
    use Currency::{Ars, Clp, Cop, Eur, Hnl, Mxn, Pab, Pen, Usd, Uyu};
    for (text, currency, minor) in [
        ("S/ 120", Pen, 12_000),
        ("S/. 120.50", Pen, 12_050),
        ("120.50", Pen, 12_050),
        ("120,5", Pen, 12_050),
        ("1,500.00", Pen, 150_000),
        ("1.500,00", Pen, 150_000),
        ("1,500", Pen, 150_000),
        ("1'500.00", Pen, 150_000),
        ("1 500,00", Pen, 150_000),
        ("1,500,000", Pen, 150_000_000),
        ("1.500.000", Pen, 150_000_000),
        ("$ 80", Mxn, 8_000),
        ("$80.00 MXN", Mxn, 8_000),
        ("80 pesos", Mxn, 8_000),
        ("$80 M.N.", Mxn, 8_000),
        ("$.50", Mxn, 50),
        ("120.-", Mxn, 12_000),
        ("-$80", Mxn, -8_000),
        ("$-80", Mxn, -8_000),
        ("1.500", Cop, 150_000),
        ("$ 12.500,50", Ars, 1_250_050),
        ("$1.990", Clp, 1_990),
        ("$1,990", Clp, 1_990),
        ("1990.00", Clp, 1_990),
        ("12,50 €", Eur, 1_250),
        ("€12.50", Eur, 1_250),
        ("1.500\u{a0}€", Eur, 150_000),
        ("US$ 20", Usd, 2_000),
        ("20 dólares", Usd, 2_000),
        ("$U 300", Uyu, 30_000),
        ("L 85.00", Hnl, 8_500),
        ("B/.5.25", Pab, 525),
        ("$5.25", Pab, 525),
        ("0", Pen, 0),
        ("007", Pen, 700),
    ] {
        assert_eq!(read(text, currency), Ok(minor), "{text} {currency}");
    }
}

#[test]
fn what_is_not_clear_is_refused() {
    use Currency::{Clp, Cop, Mxn, Pen};
    let precise = |decimals| MoneyProblem::TooPrecise { decimals };
    let other = |expected| MoneyProblem::OtherCurrency { expected };
    for (text, currency, problem) in [
        ("1.500", Pen, Ambiguous),
        ("1,500", Cop, Ambiguous),
        ("1'500,000", Pen, Ambiguous),
        ("0.500", Pen, precise(2)),
        ("120.505", Pen, Ambiguous),
        ("1.5005", Pen, precise(2)),
        ("1,500.0001", Pen, precise(2)),
        ("19.90", Clp, precise(0)),
        ("$ 80", Pen, other(Pen)),
        ("80 USD", Mxn, other(Mxn)),
        ("€80", Mxn, other(Mxn)),
        ("", Pen, NotAnAmount),
        ("S/", Pen, NotAnAmount),
        ("desde 120", Pen, NotAnAmount),
        ("120 o 130", Pen, NotAnAmount),
        ("120-150", Pen, NotAnAmount),
        ("--5", Pen, NotAnAmount),
        ("-S/ -5", Pen, NotAnAmount),
        ("12,34,567", Pen, NotAnAmount),
        ("1,2,3", Pen, NotAnAmount),
        ("1 2", Pen, NotAnAmount),
        ("1.500,00.5", Pen, NotAnAmount),
        ("٣", Pen, NotAnAmount),
        ("1e5", Pen, NotAnAmount),
        ("92233720368547758.08", Pen, TooLarge),
        ("999999999999999999999", Pen, TooLarge),
    ] {
        assert_eq!(read(text, currency), Err(problem), "{text} {currency}");
    }
    assert_eq!(read(&"1".repeat(65), Pen), Err(NotAnAmount));
    assert_eq!(read("92233720368547758.07", Pen), Ok(i64::MAX));
}

#[test]
fn amounts_are_written_as_customers_read_them() {
    use Currency::{Clp, Cop, Crc, Eur, Mxn, Pen, Usd};
    for (minor, currency, es, en) in [
        (12_000, Pen, "S/ 120", "S/ 120"),
        (150_050, Pen, "S/ 1,500.50", "S/ 1,500.50"),
        (150_050, Mxn, "$1,500.50 MXN", "$1,500.50 MXN"),
        (8_000, Usd, "$80 USD", "$80 USD"),
        (150_000, Cop, "$1.500 COP", "$1,500.00 COP"),
        (1_990, Clp, "$1.990 CLP", "$1,990 CLP"),
        (1_250, Eur, "12,50 €", "€12.50"),
        (150_000, Eur, "1.500 €", "€1,500.00"),
        (5, Crc, "₡0,05", "₡0.05"),
        (-8_000, Mxn, "-$80 MXN", "-$80 MXN"),
    ] {
        let money = Money::new(minor, currency);
        assert_eq!(money.format(Es), es);
        assert_eq!(money.format(En), en);
    }
}

#[test]
fn sums_are_checked() {
    let soles = |minor| Money::new(minor, Currency::Pen);
    assert_eq!(soles(1).plus(soles(2)), Ok(soles(3)));
    assert_eq!(soles(1).minus(soles(2)), Ok(soles(-1)));
    assert_eq!(soles(i64::MAX).plus(soles(1)), Err(TooLarge));
    assert_eq!(soles(i64::MIN).minus(soles(1)), Err(TooLarge));
    assert_eq!(soles(i64::MAX).times(2), Err(TooLarge));
    assert_eq!(soles(250).times(3), Ok(soles(750)));
    assert_eq!(soles(105).percent(10), Ok(soles(11)));
    assert_eq!(soles(-105).percent(10), Ok(soles(-11)));
    assert_eq!(soles(104).percent(10), Ok(soles(10)));
    assert_eq!(soles(i64::MAX).percent(101), Err(TooLarge));
    let pesos = Money::new(1, Currency::Mxn);
    let mixed = MoneyProblem::MixedCurrencies {
        left: Currency::Pen,
        right: Currency::Mxn,
    };
    assert_eq!(soles(1).plus(pesos), Err(mixed.clone()));
    assert_eq!(soles(1).minus(pesos), Err(mixed.clone()));
    assert_eq!(soles(1).is_at_least(pesos), Err(mixed.clone()));
    assert_eq!(Money::sum([soles(1), pesos], Currency::Pen), Err(mixed));
    assert_eq!(
        Money::sum([], Currency::Mxn),
        Ok(Money::zero(Currency::Mxn))
    );
    assert_eq!(soles(-1).not_negative(), Err(MoneyProblem::Negative));
}

#[test]
fn every_problem_is_told_in_both_languages() {
    for problem in [
        NotAnAmount,
        Ambiguous,
        TooLarge,
        MoneyProblem::Negative,
        MoneyProblem::TooPrecise { decimals: 2 },
        MoneyProblem::OtherCurrency {
            expected: Currency::Pen,
        },
    ] {
        assert_ne!(problem.text(Es), problem.text(En), "{}", problem.code());
    }
}

fn any_currency() -> impl Strategy<Value = Currency> {
    proptest::sample::select(Currency::ALL)
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        minor in prop_oneof![any::<i64>(), -2_000_000_i64..2_000_000],
        currency in any_currency(),
    ) {
        let money = Money::new(minor, currency);
        for language in [Es, En] {
            let written = money.format(language);
            prop_assert_eq!(Money::parse(&written, currency), Ok(money), "{}", written);
        }
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC*", currency in any_currency()) {
        let _ = Money::parse(&text, currency);
    }

    #[test]
    fn nothing_that_looks_like_a_number_is_read_as_another(
        text in "[0-9]{0,4}([.,' ][0-9]{0,4}){0,3}",
        currency in any_currency(),
    ) {
        if let Ok(money) = Money::parse(&text, currency) {
            // Whatever the signs between them meant, the digits are the same but for zeros.
            let digits = |text: &str| {
                let digits: String = text.chars().filter(char::is_ascii_digit).collect();
                digits.trim_matches('0').to_owned()
            };
            prop_assert_eq!(digits(&text), digits(&money.minor.to_string()));
        }
    }
}

#[test]
fn what_is_written_into_a_file_is_read_back() {
    for currency in Currency::ALL {
        for minor in [0, 5, 150, 150_000, 123_456_789] {
            let money = Money::new(minor, *currency);
            assert_eq!(Money::parse(&money.plain(), *currency), Ok(money));
        }
    }
    assert_eq!(Money::new(-150, Currency::Pen).plain(), "-1.50");
}
