use super::*;
use proptest::prelude::*;

fn cut(framing: Framing, pieces: &[&[u8]]) -> Vec<String> {
    let mut frames = Frames::new(framing);
    let mut found = Vec::new();
    for piece in pieces {
        frames.push(piece, &mut found).unwrap();
    }
    frames.finish(&mut found);
    found
}

const STREAM: &str = "\u{feff}: hola\r\nevent: uno\r\ndata: {\"a\": \"ñandú 🦷\"}\r\n\r\n:\n\n\
                      id: 7\nretry: 10\ndata:sin espacio\n\ndata: dos\ndata:  líneas\n\n\
                      event: ping\n\ndata\n\ndata: último\r\r";
const EXPECTED: [&str; 4] = [
    "{\"a\": \"ñandú 🦷\"}",
    "sin espacio",
    "dos\n líneas",
    "último",
];

#[test]
fn events_are_their_data() {
    assert_eq!(cut(Framing::Events, &[STREAM.as_bytes()]), EXPECTED);
}

#[test]
fn lines_are_messages() {
    let text = "{\"a\":1}\n\r\n  \n{\"b\":\"ñ\"}\r\n{\"c\"";
    let expected = ["{\"a\":1}", "{\"b\":\"ñ\"}", "{\"c\""];
    assert_eq!(cut(Framing::Lines, &[text.as_bytes()]), expected);
}

#[test]
fn what_is_left_at_the_end_is_told() {
    assert_eq!(cut(Framing::Events, &[b"data: a\n\ndata: b"]), ["a", "b"]);
    assert_eq!(cut(Framing::Events, &[b"data: a\n"]), ["a"]);
    assert!(cut(Framing::Events, &[b": a\n\nevent: b\n"]).is_empty());
    assert!(cut(Framing::Events, &[]).is_empty());
}

#[test]
fn a_message_without_end_is_given_up() {
    for (framing, start) in [(Framing::Events, "data: "), (Framing::Lines, "")] {
        let mut frames = Frames::new(framing);
        let mut found = Vec::new();
        frames.push(start.as_bytes(), &mut found).unwrap();
        let piece = vec![b'a'; MOST_FRAME_BYTES / 2];
        assert_eq!(frames.push(&piece, &mut found), Ok(()));
        assert_eq!(frames.push(&piece, &mut found), framing_limit(framing));
        assert_eq!(frames.push(&piece, &mut found), Err(TooLong));
    }
    // Many lines of data are one message too.
    let mut frames = Frames::new(Framing::Events);
    let line = format!("data: {}\n", "a".repeat(1024 * 1024));
    let ended = (0..8).map(|_| frames.push(line.as_bytes(), &mut Vec::new()));
    assert!(ended.collect::<Result<Vec<()>, _>>().is_err());
}

/// A line of just the longest length is taken; one with the name of its field is longer.
fn framing_limit(framing: Framing) -> Result<(), TooLong> {
    match framing {
        Framing::Events => Err(TooLong),
        Framing::Lines => Ok(()),
    }
}

proptest! {
    /// Letters of several bytes and pairs of line ends are cut anywhere.
    #[test]
    fn it_does_not_matter_where_the_network_cuts(cuts in prop::collection::vec(0..STREAM.len(), 0..20)) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let mut pieces: Vec<&[u8]> = Vec::new();
        let mut from = 0;
        for at in cuts {
            pieces.push(&STREAM.as_bytes()[from..at]);
            from = at;
        }
        pieces.push(&STREAM.as_bytes()[from..]);
        prop_assert_eq!(cut(Framing::Events, &pieces), EXPECTED);
    }

    #[test]
    fn nothing_that_comes_does_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        cut(Framing::Events, &[&bytes]);
        cut(Framing::Lines, &[&bytes]);
    }
}
