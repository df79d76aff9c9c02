use super::*;
use proptest::prelude::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn event() -> FeedEvent {
    FeedEvent {
        uid: "0197-cita@quipu".into(),
        starts_at: at("2026-03-12T15:30:00Z"),
        ends_at: at("2026-03-12T16:00:00Z"),
        summary: "Limpieza dental".into(),
        description: None,
        location: None,
        status: FeedStatus::Confirmed,
        sequence: 2,
        updated_at: at("2026-03-01T09:00:00.25Z"),
    }
}

fn written(event: FeedEvent) -> String {
    feed("Citas", at("2026-03-02T10:00:00Z"), &[event])
}

/// What a reader does first: lines that go on are put together again.
fn unfolded(text: &str) -> Vec<String> {
    let joined = text.replace("\r\n ", "");
    joined.split_terminator("\r\n").map(str::to_owned).collect()
}

/// What a reader does next. Everything that is not one of the four escapes stays as it is.
fn unescaped(value: &str) -> String {
    let mut out = String::new();
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n' | 'N') => out.push('\n'),
            Some(escaped @ ('\\' | ';' | ',')) => out.push(escaped),
            other => panic!("a lone backslash before {other:?} in {value}"),
        }
    }
    out
}

fn value_of(text: &str, name: &str) -> Option<String> {
    let prefix = format!("{name}:");
    let lines = unfolded(text);
    let mut values = lines.iter().filter_map(|line| line.strip_prefix(&prefix));
    let value = values.next().map(unescaped);
    assert_eq!(values.next(), None, "{name} stands twice");
    value
}

#[test]
fn a_calendar_has_the_lines_of_the_standard() {
    let mut event = event();
    event.description = Some("Traer estudios".into());
    event.location = Some("Sucursal Roma".into());
    let expected = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Quipu//Quipu//ES",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "X-WR-CALNAME:Citas",
        "NAME:Citas",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        "BEGIN:VEVENT",
        "UID:0197-cita@quipu",
        "DTSTAMP:20260302T100000Z",
        "LAST-MODIFIED:20260301T090000Z",
        "DTSTART:20260312T153000Z",
        "DTEND:20260312T160000Z",
        "SUMMARY:Limpieza dental",
        "DESCRIPTION:Traer estudios",
        "LOCATION:Sucursal Roma",
        "STATUS:CONFIRMED",
        "SEQUENCE:2",
        "END:VEVENT",
        "END:VCALENDAR",
    ];
    assert_eq!(
        written(event),
        expected.map(|line| format!("{line}\r\n")).concat()
    );
}

#[test]
fn a_feed_without_events_is_still_a_calendar() {
    let text = feed("", at("2026-03-02T10:00:00Z"), &[]);
    assert!(text.starts_with("BEGIN:VCALENDAR\r\n"));
    assert!(text.ends_with("END:VCALENDAR\r\n"));
    assert!(!text.contains("VEVENT"));
}

#[test]
fn what_is_not_told_has_no_line() {
    let text = written(event());
    assert_eq!(value_of(&text, "DESCRIPTION"), None);
    assert_eq!(value_of(&text, "LOCATION"), None);
}

#[test]
fn every_status_has_its_word() {
    for (status, word) in [
        (FeedStatus::Confirmed, "CONFIRMED"),
        (FeedStatus::Tentative, "TENTATIVE"),
        (FeedStatus::Cancelled, "CANCELLED"),
    ] {
        let text = written(FeedEvent { status, ..event() });
        assert_eq!(value_of(&text, "STATUS").as_deref(), Some(word));
    }
}

#[test]
fn an_end_that_is_not_after_the_beginning_is_left_out() {
    for ends_at in [
        "2026-03-12T15:30:00.5Z",
        "2026-03-12T15:30:00Z",
        "2026-03-12T15:00:00Z",
    ] {
        let text = written(FeedEvent {
            ends_at: at(ends_at),
            ..event()
        });
        assert_eq!(value_of(&text, "DTEND"), None, "{ends_at}");
    }
}

#[test]
fn instants_have_four_digits_for_the_year() {
    let text = written(FeedEvent {
        starts_at: Timestamp::MIN,
        ends_at: Timestamp::MAX,
        ..event()
    });
    assert_eq!(value_of(&text, "DTSTART").unwrap(), "19700101T000000Z");
    assert_eq!(value_of(&text, "DTEND").unwrap().len(), 16);
    let text = written(FeedEvent {
        starts_at: Timestamp::MIN,
        ends_at: at("1960-01-01T00:00:00Z"),
        ..event()
    });
    assert_eq!(value_of(&text, "DTEND"), None);
}

#[test]
fn what_people_wrote_cannot_become_a_line() {
    let text = written(FeedEvent {
        summary: "Ana\r\nEND:VEVENT\rBEGIN:VEVENT\u{2028}UID:x\u{0}\u{7}\tfin".into(),
        uid: "1\nSTATUS:CANCELLED".into(),
        ..event()
    });
    let summary = value_of(&text, "SUMMARY").unwrap();
    assert_eq!(summary, "Ana\nEND:VEVENT\nBEGIN:VEVENT\nUID:x fin");
    assert_eq!(value_of(&text, "STATUS").as_deref(), Some("CONFIRMED"));
    let ends = unfolded(&text)
        .iter()
        .filter(|line| *line == "END:VEVENT")
        .count();
    assert_eq!(ends, 1);
}

#[test]
fn signs_with_a_meaning_are_escaped() {
    let summary = r#"Corte, barba; "Ñandú" \n 💈: 10%"#;
    let text = written(FeedEvent {
        summary: summary.into(),
        ..event()
    });
    let line = r#"SUMMARY:Corte\, barba\; "Ñandú" \\n 💈: 10%"#;
    assert!(unfolded(&text).iter().any(|found| found == line), "{text}");
    assert_eq!(value_of(&text, "SUMMARY").as_deref(), Some(summary));
}

#[test]
fn a_line_of_exactly_the_longest_length_is_not_folded() {
    let fits = "a".repeat(75 - "SUMMARY:".len());
    let text = written(FeedEvent {
        summary: fits.clone(),
        ..event()
    });
    assert!(text.contains(&format!("SUMMARY:{fits}\r\n")));
    let text = written(FeedEvent {
        summary: format!("{fits}b"),
        ..event()
    });
    assert!(text.contains(&format!("SUMMARY:{fits}\r\n b\r\n")));
}

#[test]
fn sizes_are_bounded() {
    let long = written(FeedEvent {
        summary: "ñ".repeat(5_000),
        ..event()
    });
    assert_eq!(value_of(&long, "SUMMARY").unwrap().chars().count(), 4_000);
    let many = vec![event(); MAX_FEED_EVENTS + 1];
    let text = feed("Citas", Timestamp::UNIX_EPOCH, &many);
    assert_eq!(text.matches("BEGIN:VEVENT").count(), MAX_FEED_EVENTS);
}

/// Texts full of what is escaped, folded or longer than one octet.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,200}",
        "[a,;\\\\\"'ñ€😀👨‍👩‍👧\n ]{0,200}",
        "[\\x00-\\x7f\\u{80}-\\u{a0}]{0,200}",
    ]
}

/// The same text as far as a calendar can carry it.
fn carried(text: &str) -> String {
    let one_kind = text.replace("\r\n", "\n");
    let one_kind = one_kind.replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let no_tabs = one_kind.replace('\t', " ");
    no_tabs
        .chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .collect()
}

proptest! {
    #[test]
    fn a_reader_gets_back_what_was_written(
        summary in any_text(),
        description in any_text(),
        name in any_text(),
    ) {
        let event = FeedEvent {
            summary: summary.clone(),
            description: Some(description.clone()),
            ..event()
        };
        let text = feed(&name, Timestamp::UNIX_EPOCH, &[event]);
        prop_assert_eq!(value_of(&text, "SUMMARY"), Some(carried(&summary)));
        prop_assert_eq!(value_of(&text, "DESCRIPTION"), Some(carried(&description)));
        prop_assert_eq!(value_of(&text, "X-WR-CALNAME"), Some(carried(&name)));
    }

    #[test]
    fn no_line_is_too_long_or_broken(summary in any_text(), uid in any_text()) {
        let text = written(FeedEvent { uid, summary, ..event() });
        prop_assert!(text.ends_with("\r\n"));
        for line in text.split_terminator("\r\n") {
            prop_assert!(line.len() <= 75, "{}", line);
            prop_assert!(!line.contains(char::is_control), "{:?}", line);
        }
    }
}
