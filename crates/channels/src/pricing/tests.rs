use super::*;
use proptest::prelude::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn november() -> Timestamp {
    at("2026-11-05T12:00:00Z")
}

fn message(category: &str) -> MessageCharge<'_> {
    MessageCharge {
        channel: Channel::Whatsapp,
        category,
        market: Some("PE"),
        at: november(),
        in_window: true,
        from_advertisement: false,
        delivered_this_month: 1_000,
    }
}

#[test]
fn each_market_has_its_rates() {
    let rates = ChannelRates::bundled();
    for (category, market, micros) in [
        ("marketing", "MX", Some(39_700)),
        ("service", "MX", Some(8_500)),
        ("utility", "PE", Some(30_000)),
        ("utility", "co", Some(800)),
        ("authentication", "BR", Some(6_800)),
        ("service", "EC", Some(11_300)),
        ("service", "PR", Some(11_300)),
        ("service", "US", Some(3_400)),
        ("marketing", "ES", Some(70_700)),
        ("service", "PT", Some(17_100)),
        ("service", "IS", Some(7_700)),
        ("marketing_lite", "CL", Some(88_900)),
        ("referral_conversion", "CL", Some(0)),
        ("authentication-international", "CL", None),
        ("", "CL", None),
        ("service", "Chile", None),
        ("service", "", None),
    ] {
        let cost = rates.cost_micros(category, Some(market), november());
        assert_eq!(cost, micros, "{category} {market}");
    }
    assert_eq!(rates.cost_micros("service", None, november()), None);
}

#[test]
fn rates_change_at_their_day() {
    let rates = ChannelRates::bundled();
    let before = at("2026-09-30T23:59:59Z");
    let after = at("2026-10-01T00:00:00Z");
    let cost = |category, market, at| rates.cost_micros(category, Some(market), at);
    assert_eq!(cost("service", "PE", before), Some(0));
    assert_eq!(cost("service", "PE", after), Some(30_000));
    assert_eq!(cost("utility", "PE", before), Some(20_000));
    assert_eq!(cost("marketing", "MX", before), Some(30_500));
    // No rate of other markets is known before October.
    assert_eq!(cost("marketing", "FR", before), None);
    assert_eq!(cost("marketing", "MX", at("2026-06-30T23:59:59Z")), None);
    assert_eq!(rates.free_per_month("service", before), 0);
    assert_eq!(rates.free_per_month("service", after), 1_000);
    assert_eq!(rates.free_per_month("utility", after), 0);
}

#[test]
fn what_is_free_is_not_charged() {
    let rates = ChannelRates::bundled();
    let charge = |message| rates.charge_micros(&message);
    let (service, utility) = (message("service"), message("utility"));
    assert_eq!(charge(service), Some(30_000));
    assert_eq!(
        charge(MessageCharge {
            delivered_this_month: 999,
            ..service
        }),
        Some(0)
    );
    assert_eq!(
        charge(MessageCharge {
            delivered_this_month: 0,
            ..utility
        }),
        Some(30_000)
    );
    assert_eq!(
        charge(MessageCharge {
            from_advertisement: true,
            ..utility
        }),
        Some(0)
    );
    assert_eq!(
        charge(MessageCharge {
            channel: Channel::Instagram,
            ..utility
        }),
        Some(0)
    );
    assert_eq!(
        charge(MessageCharge {
            market: None,
            ..utility
        }),
        None
    );

    let september = at("2026-09-15T12:00:00Z");
    let then = MessageCharge {
        at: september,
        ..utility
    };
    assert_eq!(charge(then), Some(0));
    assert_eq!(
        charge(MessageCharge {
            in_window: false,
            ..then
        }),
        Some(20_000)
    );
    // Even for somebody whose country is not known.
    assert_eq!(
        charge(MessageCharge {
            market: None,
            ..then
        }),
        Some(0)
    );
}

const FILE: &str = r#"
[whatsapp]
currency = "USD"
[whatsapp.regions]
andes = ["PE", "BO"]
[[whatsapp.card]]
valid_from = "2027-01-01"
columns = ["marketing", "service"]
[whatsapp.card.rows]
andes = "1.5 0.000001"
BO = "- 2"
"#;

#[test]
fn an_installation_may_bring_its_own() {
    let rates = ChannelRates::parse(FILE).unwrap();
    let cost =
        |category, market| rates.cost_micros(category, Some(market), at("2027-02-01T00:00:00Z"));
    assert_eq!(cost("marketing", "PE"), Some(1_500_000));
    assert_eq!(cost("service", "PE"), Some(1));
    // A row of its own stands for all of a country.
    assert_eq!(cost("service", "BO"), Some(2_000_000));
    assert_eq!(cost("marketing", "BO"), None);
    assert_eq!(cost("marketing", "MX"), None);
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (right, wrong, told) in [
        ("\"USD\"", "\"PEN\"", "rates are in USD, not in PEN"),
        (
            "\"BO\"]",
            "\"PE\"]",
            "regions.andes: PE is no country or is there twice",
        ),
        ("2027-01-01", "enero", "enero is no date"),
        ("1.5", "1,5", "card of 2027-01-01, andes: 1,5 is no rate"),
        ("1.5", "-1", "card of 2027-01-01, andes: -1 is no rate"),
        (
            "1.5",
            "0.0000001",
            "card of 2027-01-01, andes: 0.0000001 is no rate",
        ),
        ("1.5 ", "", "card of 2027-01-01, andes: 2 rates are needed"),
        (
            "BO =",
            "Bolivia =",
            "card of 2027-01-01, Bolivia: neither a country of two letters nor a region",
        ),
    ] {
        let file = FILE.replacen(right, wrong, 1);
        assert_eq!(ChannelRates::parse(&file).err().as_deref(), Some(told));
    }
    let card = FILE.split("[[").nth(1).unwrap();
    let twice = format!("{FILE}[[{card}");
    assert_eq!(
        ChannelRates::parse(&twice).err().as_deref(),
        Some("there are two cards of 2027-01-01")
    );
    assert!(ChannelRates::parse("whatsapp = 1").is_err());
}

proptest! {
    #[test]
    fn nothing_is_too_odd_to_be_priced(category in ".{0,12}", market in ".{0,3}", seconds in 0_i64..4_000_000_000) {
        let rates = ChannelRates::bundled();
        let at = Timestamp::from_second(seconds).unwrap();
        let cost = rates.cost_micros(&category, Some(&market), at);
        prop_assert!(cost.is_none_or(|cost| (0..1_000_000).contains(&cost)));
        let _ = ChannelRates::parse(&category);
    }
}
