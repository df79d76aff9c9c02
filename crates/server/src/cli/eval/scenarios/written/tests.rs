use super::*;

#[test]
fn days_are_read_in_lists_and_spans() {
    assert_eq!(days("tue,thu").unwrap(), [1, 3]);
    assert_eq!(days("mon-wed").unwrap(), [0, 1, 2]);
    assert_eq!(days("sat-mon").unwrap(), [5, 6, 0]);
    assert_eq!(days("fri-sat, mon").unwrap(), [4, 5, 0]);
    assert_eq!(days("daily").unwrap().len(), 7);
    assert!(days("lunes").is_err());
}

#[test]
fn hours_may_be_split_and_days_closed() {
    let written = BTreeMap::from([
        ("mon-tue".to_owned(), "09:00-13:00, 15:00-19:00".to_owned()),
        ("wed".to_owned(), "closed".to_owned()),
    ]);
    let read = hours(&written).unwrap();
    assert_eq!(read["weekly"]["tuesday"][1]["from"], "15:00");
    assert_eq!(read["weekly"]["wednesday"], json!([]));
    let wrong = BTreeMap::from([("mon".to_owned(), "all morning".to_owned())]);
    assert!(hours(&wrong).is_err());
}

#[test]
fn the_longest_time_counts() {
    assert_eq!(longest_minutes(&json!("20-45")), Some(45));
    assert_eq!(longest_minutes(&json!("2 horas")), Some(120));
    assert_eq!(longest_minutes(&json!(30)), Some(30));
    assert_eq!(longest_minutes(&json!("48 h")), Some(1_440));
    assert_eq!(longest_minutes(&json!("pronto")), None);
}

#[test]
fn what_earns_tokens_is_read() {
    let currency = Currency::parse("PEN").unwrap();
    let rule = earning("2 por cada S/ 30", currency).unwrap();
    assert_eq!((rule.tokens, rule.every.minor), (2, 3_000));
    let rule = earning("3 % de la compra", currency).unwrap();
    assert_eq!((rule.tokens, rule.every.minor), (3, 10_000));
    assert!(earning("con cada visita", currency).is_none());
}

#[test]
fn amounts_are_whole_units_of_the_currency() {
    let (soles, pesos) = (
        Currency::parse("PEN").unwrap(),
        Currency::parse("CLP").unwrap(),
    );
    let read = |text: &str, currency| {
        let number: Number = serde_json::from_str(text).unwrap();
        amount(&number, currency).ok().map(|money| money.minor)
    };
    assert_eq!(read("12", soles), Some(1_200));
    assert_eq!(read("12.5", soles), Some(1_250));
    assert_eq!(read("12.505", soles), None);
    assert_eq!(read("900", pesos), Some(900));
    assert_eq!(read("-1", soles), None);
}
