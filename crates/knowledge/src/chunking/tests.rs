mod promises;

use super::cutter::is_row;
use super::*;
use quipu_core::extraction::{Extracted, Segment};

/// Stands in for a counter of tokens: it counts bytes, which no other ruler exceeds.
struct Bytes<'a>(&'a str);

impl Ruler for Bytes<'_> {
    fn measure(&self, bytes: Range<usize>) -> usize {
        bytes.len()
    }

    fn reach(&self, start: usize, limit: usize) -> usize {
        let first = self.0[start..].chars().next().map_or(0, char::len_utf8);
        self.0
            .floor_char_boundary((start + limit).max(start + first))
    }

    fn reach_back(&self, end: usize, limit: usize) -> usize {
        self.0.ceil_char_boundary(end.saturating_sub(limit))
    }

    fn most_bytes(&self, limit: usize) -> usize {
        limit
    }
}

fn flow(text: &str) -> Segment {
    Segment {
        text: text.to_owned(),
        ..Segment::default()
    }
}

fn unit(text: &str) -> Segment {
    Segment {
        kind: SegmentKind::Unit,
        ..flow(text)
    }
}

fn under(heading: &str, page: u32, text: &str) -> Segment {
    Segment {
        page: Some(page),
        headings: vec![heading.to_owned()],
        ..flow(text)
    }
}

fn config(strategy: ChunkStrategy, size: u32, overlap: u32, max: u32, min: u32) -> ChunkingConfig {
    ChunkingConfig {
        strategy,
        chunk_size: size,
        chunk_overlap: overlap,
        max_chunk_size: max,
        min_chunk_size: min,
        ..ChunkingConfig::default()
    }
}

/// A vector that says which of a few words a sentence has.
fn vector(sentence: &str) -> Vec<f32> {
    let has = |word: &str| f32::from(u8::from(sentence.to_lowercase().contains(word)));
    vec![has("perro"), has("envío"), has("a"), 0.1]
}

fn cut<'a>(source: &'a SourceText, config: &ChunkingConfig) -> Vec<Span<'a>> {
    let mut topics = Topics::new(source, config, &|| false).unwrap();
    loop {
        let pending = topics.pending(source, 7);
        if pending.is_empty() {
            break;
        }
        topics.add(pending.iter().map(|sentence| vector(sentence)).collect());
    }
    let ruler = Bytes(source.text());
    chunk(source, config, &ruler, Some(&topics), &|| false).unwrap()
}

fn source(segments: Vec<Segment>) -> SourceText {
    SourceText::new(&Extracted {
        segments,
        ..Extracted::default()
    })
}

fn texts<'a>(source: &'a SourceText, config: &ChunkingConfig) -> Vec<&'a str> {
    cut(source, config).iter().map(|span| span.text).collect()
}

#[test]
fn short_texts_are_one_chunk_without_their_margins() {
    let text = SourceText::plain("  Hola, ¿qué tal?\n".to_owned());
    for strategy in [
        ChunkStrategy::Fixed,
        ChunkStrategy::Paragraph,
        ChunkStrategy::Semantic,
    ] {
        let config = ChunkingConfig {
            strategy,
            ..ChunkingConfig::default()
        };
        let spans = cut(&text, &config);
        assert_eq!(spans.len(), 1);
        assert_eq!(spans[0].text, "Hola, ¿qué tal?");
        assert_eq!((spans[0].start_char, spans[0].end_char), (2, 17));
        assert_eq!(spans[0].tokens, spans[0].text.len());
        for nothing in ["", " \n\t "] {
            assert!(cut(&SourceText::plain(nothing.to_owned()), &config).is_empty());
        }
    }
    assert!(cut(&source(Vec::new()), &ChunkingConfig::default()).is_empty());
}

#[test]
fn cuts_prefer_segments_then_blank_lines_lines_sentences_and_spaces() {
    let fixed = config(ChunkStrategy::Fixed, 30, 0, 30, 0);
    for (segments, expected) in [
        (
            vec![flow("uno dos tres cuatro"), flow("cinco\n\nseis siete")],
            "uno dos tres cuatro",
        ),
        (
            vec![flow("uno dos tres cuatro\n\ncinco\nseis. Siete ocho")],
            "uno dos tres cuatro",
        ),
        (
            vec![flow("uno dos tres cuatro\ncinco. Seis siete ocho")],
            "uno dos tres cuatro",
        ),
        (
            vec![flow("uno dos tres Sr. cuatro. Cinco seis siete")],
            "uno dos tres Sr. cuatro.",
        ),
        (
            vec![flow("uno dos tres cuatro cinco seis siete")],
            "uno dos tres cuatro cinco seis",
        ),
        (
            vec![flow("uno dos tres cuatro cinco siete ocho")],
            "uno dos tres cuatro cinco",
        ),
    ] {
        assert_eq!(texts(&source(segments), &fixed)[0], expected);
    }
}

#[test]
fn long_words_are_cut_between_graphemes() {
    let family = "👨‍👩‍👧‍👦";
    let text = SourceText::plain(format!("a {}", family.repeat(5)));
    let spans = texts(&text, &config(ChunkStrategy::Fixed, 15, 5, 15, 0));
    assert_eq!(
        spans,
        ["a", &family.repeat(2), &family.repeat(2), family],
        "seven characters each"
    );
}

#[test]
fn neighbours_overlap_from_a_sentence_or_a_word_on() {
    let text = "Uno dos tres cuatro cinco. Seis siete. Ocho nueve diez once doce trece catorce.";
    let spans = SourceText::plain(text.to_owned());
    assert_eq!(
        texts(&spans, &config(ChunkStrategy::Fixed, 40, 20, 80, 0)),
        [
            "Uno dos tres cuatro cinco. Seis siete.",
            "Seis siete. Ocho nueve diez once doce",
            "diez once doce trece catorce.",
        ]
    );
}

#[test]
fn rows_of_tables_stay_whole_where_they_fit() {
    let row = |n: u32| format!("Servicio: Limpieza {n} | Precio: S/ {n}.50 | Duración: 30 min");
    let rows: Vec<String> = (10..20).map(row).collect();
    let text = SourceText::plain(format!(
        "Estos son los precios de este año.\n{}",
        rows.join("\n")
    ));
    for overlap in [0, 30, 60] {
        for size in [80, 120, 150, 200] {
            for span in cut(&text, &config(ChunkStrategy::Fixed, size, overlap, size, 0)) {
                for line in span.text.lines() {
                    assert!(!is_row(line) || rows.contains(&line.to_owned()), "{line}");
                }
            }
        }
    }
    let narrow = SourceText::plain(row(1).repeat(3));
    let spans = texts(&narrow, &config(ChunkStrategy::Fixed, 50, 0, 50, 0));
    assert!(
        spans[0].ends_with(" |"),
        "a row that does not fit is cut between cells"
    );
}

#[test]
fn headings_stay_with_what_follows() {
    let text = "Primero esto y lo otro y algo más.\n\n## Precios\n\nPagos:\n\nAceptamos Yape y tarjetas de todo tipo.";
    for strategy in [
        ChunkStrategy::Fixed,
        ChunkStrategy::Paragraph,
        ChunkStrategy::Semantic,
    ] {
        let text = SourceText::plain(text.to_owned());
        let spans = texts(&text, &config(strategy, 65, 0, 65, 0));
        assert_eq!(
            spans[0], "Primero esto y lo otro y algo más.",
            "{strategy:?}"
        );
    }
    let unmarked = SourceText::plain(
        "Primero esto y lo otro.\n\nPrecios de hoy\nLa limpieza cuesta cincuenta soles.".to_owned(),
    );
    let spans = texts(&unmarked, &config(ChunkStrategy::Fixed, 50, 0, 60, 0));
    assert_eq!(spans[0], "Primero esto y lo otro.");
    let titled = source(vec![
        under("Inicio", 1, "Primero esto y lo otro y algo más."),
        under("Precios", 2, "Precios\nLa limpieza cuesta cincuenta soles."),
        under("Pagos", 3, "Pagos"),
        under("Yape", 3, "Yape\nAceptamos Yape sin recargo alguno."),
    ]);
    let spans = cut(&titled, &config(ChunkStrategy::Paragraph, 90, 0, 90, 0));
    let found: Vec<_> = spans.iter().map(|s| (s.page, s.headings, s.text)).collect();
    assert_eq!(
        found,
        [
            (
                Some(2),
                &["Inicio".to_owned()][..],
                "Primero esto y lo otro y algo más.\n\nPrecios\nLa limpieza cuesta cincuenta soles."
            ),
            (
                Some(3),
                &["Pagos".to_owned()],
                "Pagos\n\nYape\nAceptamos Yape sin recargo alguno."
            ),
        ]
    );
}

#[test]
fn a_section_does_not_begin_with_the_end_of_the_one_before() {
    let titled = source(vec![
        under("A", 1, &"Esto va de una cosa. ".repeat(4)),
        under("B", 2, &"Esto va de otra cosa. ".repeat(4)),
        under("B", 3, &"Y esto también va de ella. ".repeat(2)),
    ]);
    let spans = cut(&titled, &config(ChunkStrategy::Fixed, 100, 40, 100, 0));
    assert_eq!(spans.len(), 3);
    assert!(spans[1].text.starts_with("Esto va de otra"));
    assert!(
        spans[2].text.starts_with("Esto va de otra"),
        "pages do overlap"
    );
    assert_eq!((spans[2].pages.first(), spans[2].page), (Some(2), Some(3)));

    let short = source(vec![
        under("A", 1, &"Esto va de una cosa. ".repeat(3)),
        under("B", 2, "Esto va de otra."),
        under("B", 3, &"Y esto también va de ella. ".repeat(3)),
    ]);
    let spans = cut(&short, &config(ChunkStrategy::Fixed, 100, 40, 100, 0));
    assert!(spans[1].text.starts_with("Esto va de otra."));
    assert_eq!(spans[1].headings, ["B"]);
}

#[test]
fn a_small_end_joins_the_window_before() {
    let text = SourceText::plain("palabra ".repeat(14));
    let fixed = |max, min| config(ChunkStrategy::Fixed, 100, 0, max, min);
    assert_eq!(texts(&text, &fixed(150, 20)).len(), 1);
    assert_eq!(texts(&text, &fixed(150, 5)).len(), 2, "long enough");
    assert_eq!(texts(&text, &fixed(105, 20)).len(), 2, "both do not fit");
}

#[test]
fn paragraphs_are_joined_and_long_ones_cut() {
    let long = "palabra ".repeat(20);
    let text = SourceText::plain(format!("uno\n\ndos\n \ntres tres tres\n\n{long}\n\nfin"));
    let spans = texts(&text, &config(ChunkStrategy::Paragraph, 50, 10, 60, 5));
    assert_eq!(spans[0], "uno\n\ndos\n \ntres tres tres");
    assert!(spans[1..].iter().all(|s| s.chars().count() <= 60));
    assert!(
        spans.last().unwrap().ends_with("\n\nfin"),
        "the small end is joined: {spans:?}"
    );
}

#[test]
fn a_separator_takes_the_place_of_blank_lines() {
    let text = "uno\n\ndos\n---\ntres\n---\nCapítulo 2 cuatro";
    let source = SourceText::plain(text.to_owned());
    let by = |pattern: &str, size| ChunkingConfig {
        separator_regex: Some(pattern.to_owned()),
        ..config(ChunkStrategy::Paragraph, size, 0, 60, 0)
    };
    assert_eq!(
        texts(&source, &by("\\n-{3,}\\n", 14)),
        ["uno\n\ndos", "tres", "Capítulo 2 cuatro"]
    );
    assert_eq!(
        texts(&source, &by("Cap[ií]tulo \\d", 1)),
        ["uno\n\ndos\n---\ntres\n---", "Capítulo 2 cuatro"]
    );
    // The search for the next match reads to the end each time; this takes for ever unless bounded.
    let hostile = SourceText::plain("B ".repeat(10_000));
    assert!(!texts(&hostile, &by("[^A]*A|B", 50)).is_empty());
}

#[test]
fn topics_decide_where_semantic_cuts() {
    let dogs = [
        "El perro come dos veces al día sin falta.",
        "Los perros pasean por la mañana temprano.",
        "Un perro tranquilo duerme junto a la puerta.",
        "Cada perro tiene su cama y su comedero.",
    ];
    let parcels = [
        "El envío sale del almacén por la tarde.",
        "Cada envío lleva un número de seguimiento.",
        "Un envío urgente llega en menos de un día.",
        "El envío se paga al hacer el pedido.",
    ];
    let text = [dogs, parcels, dogs].map(|topic| topic.join(" ")).join(" ");
    let turns = SourceText::plain(text);
    let spans = texts(&turns, &config(ChunkStrategy::Semantic, 200, 0, 400, 50));
    assert_eq!(spans, [dogs.join(" "), parcels.join(" "), dogs.join(" ")],);
    // The topic changes where the paragraph does, if one begins nearby.
    let text = format!(
        "{} {}\n\n{}",
        dogs.join(" "),
        parcels[0],
        parcels[1..].join(" ")
    );
    let nearby = SourceText::plain(text);
    let spans = texts(&nearby, &config(ChunkStrategy::Semantic, 200, 0, 400, 50));
    assert_eq!(spans[1], parcels[1..].join(" "));
    // A section whose end is too short to stand alone keeps it.
    let ends = source(vec![
        under(
            "Perros",
            1,
            &[dogs.join(" "), parcels[1..].join(" ")].join(" "),
        ),
        under("Otros", 1, &parcels.join(" ")),
    ]);
    let spans = texts(&ends, &config(ChunkStrategy::Semantic, 200, 0, 400, 130));
    assert_eq!(spans.len(), 2);
    assert!(spans[0].ends_with(parcels[3]));
    let spans = texts(&ends, &config(ChunkStrategy::Semantic, 200, 0, 400, 100));
    assert_eq!(spans[1], parcels[1..].join(" "));
    // The maximum holds even where the topic does not change.
    let same = SourceText::plain(dogs.join(" ").repeat(5));
    let spans = texts(&same, &config(ChunkStrategy::Semantic, 100, 0, 150, 50));
    assert!(
        spans
            .iter()
            .all(|s| (50..=150).contains(&s.chars().count())),
        "{spans:?}"
    );
}

#[test]
fn small_units_are_not_joined_and_large_ones_are_cut() {
    let rows = source(vec![
        flow("Antes."),
        unit("a: 1"),
        unit("b: 2"),
        unit(&"palabra ".repeat(30)),
        flow("Después."),
        flow("Fin."),
    ]);
    for strategy in [
        ChunkStrategy::Fixed,
        ChunkStrategy::Paragraph,
        ChunkStrategy::Semantic,
    ] {
        let spans = texts(&rows, &config(strategy, 50, 10, 100, 50));
        assert_eq!(spans[..3], ["Antes.", "a: 1", "b: 2"]);
        assert_eq!(spans.last(), Some(&"Después.\n\nFin."));
        assert!(spans.len() > 6);
    }
}
