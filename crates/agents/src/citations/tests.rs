use super::*;
use quipu_core::chunking::ChunkPages;
use quipu_core::knowledge::DocumentSource;
use quipu_core::retrieval::RawScores;
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Timestamp};

const DOCUMENT: &str =
    "Bienvenidos. Años de experiencia. La limpieza cuesta S/ 120. Aceptamos Yape.";

/// The second half of the document, as a chunk that begins at its 14th character.
fn passage() -> Passage {
    let epoch = Timestamp::UNIX_EPOCH;
    Passage {
        chunk_id: ChunkId::generate(epoch),
        document_id: DocumentId::generate(epoch),
        knowledge_base_id: KnowledgeBaseId::generate(epoch),
        title: Some("Precios".to_owned()),
        source: DocumentSource::Manual,
        content: DOCUMENT.chars().skip(13).collect(),
        start_char: 13,
        end_char: i32::try_from(DOCUMENT.chars().count()).unwrap(),
        page_number: None,
        pages: ChunkPages::default(),
        headings: Vec::new(),
        source_url: None,
        file_type: None,
        similarity: 0.9,
        metadata: serde_json::json!({}),
        business: None,
        raw: RawScores::default(),
    }
}

fn parts(parts: &[(&str, Option<(usize, &str)>)]) -> Vec<ReplyPart> {
    let part = |(text, source): &(&str, Option<(usize, &str)>)| ReplyPart {
        text: (*text).to_owned(),
        source: source.map(|(index, quote)| (index, quote.to_owned())),
    };
    parts.iter().map(part).collect()
}

fn points_into_the_document(citations: &[Citation]) {
    let chars: Vec<char> = DOCUMENT.chars().collect();
    for citation in citations {
        let start = usize::try_from(citation.start_char).unwrap();
        let end = usize::try_from(citation.end_char).unwrap();
        assert_eq!(chars[start..end].iter().collect::<String>(), citation.quote);
        assert_eq!(citation.title.as_deref(), Some("Precios"));
    }
}

#[test]
fn a_citation_names_the_page_its_quote_stands_on() {
    let content = passage().content;
    let turn = content.find("Aceptamos").unwrap();
    let turn = content[..turn].chars().count();
    let over_two_pages = Passage {
        page_number: Some(6),
        pages: serde_json::from_value(serde_json::json!([[0, 6], [turn, 7]])).unwrap(),
        ..passage()
    };
    let quotes = ["La limpieza cuesta S/ 120.", "Aceptamos Yape."];
    let reply = parts(&quotes.map(|quote| (quote, Some((0, quote)))));
    let cited = cite(&reply, &[over_two_pages]).unwrap();
    let pages: Vec<_> = cited.citations.iter().map(|c| c.page_number).collect();
    assert_eq!(pages, [Some(6), Some(7)]);
    let silent = cite(&reply, &[passage()]).unwrap();
    assert_eq!(silent.citations[0].page_number, None);
}

#[test]
fn quotes_are_numbered_and_point_into_the_document() {
    let price = "La limpieza cuesta S/ 120.";
    let reply = parts(&[
        ("Claro:", None),
        (price, Some((0, price))),
        ("Aceptamos Yape.", Some((0, "Aceptamos Yape."))),
        ("Repito, S/ 120.", Some((0, price))),
    ]);
    let cited = cite(&reply, &[passage()]).unwrap();
    assert_eq!(
        cited.parts.concat(),
        "Claro: La limpieza cuesta S/ 120. [1] Aceptamos Yape. [2] Repito, S/ 120. [1]"
    );
    assert_eq!((cited.parts.len(), cited.citations.len()), (4, 2));
    points_into_the_document(&cited.citations);
}

#[test]
fn lists_start_on_their_own_line() {
    let reply = parts(&[
        ("Toma nota:", None),
        ("Horario:\n- Lunes", Some((0, "Aceptamos Yape."))),
        ("Eso es todo.", None),
    ]);
    let cited = cite(&reply, &[passage()]).unwrap();
    assert_eq!(
        cited.parts.concat(),
        "Toma nota:\nHorario:\n- Lunes [1]\nEso es todo."
    );
}

#[test]
fn an_invented_quote_costs_the_whole_answer() {
    for source in [
        (0, "La limpieza cuesta S/ 90."),
        (7, "Aceptamos Yape."),
        (0, " "),
    ] {
        let reply = parts(&[
            ("Aceptamos Yape.", Some((0, "Aceptamos Yape."))),
            ("S/ 90", Some(source)),
        ]);
        assert_eq!(cite(&reply, &[passage()]), None, "{source:?}");
    }
    assert_eq!(cite(&[], &[passage()]), None);
}

#[test]
fn marks_of_a_model_are_numbered_as_they_appear() {
    let mut sources = Sources::default();
    let passages = [passage(), passage()];
    let first = sources.renumber("La limpieza cuesta S/ 120 [2]. ", &passages);
    let second = sources.renumber(
        "Aceptamos Yape [1] y la limpieza cuesta S/ 120 [2].",
        &passages,
    );
    assert_eq!(first, "La limpieza cuesta S/ 120 [1]. ");
    assert!(second.starts_with("Aceptamos Yape [2] y"), "{second}");
    let citations = sources.into_citations();
    assert!(citations.len() >= 2);
    points_into_the_document(&citations);
}

#[test]
fn marks_that_name_nothing_are_left_out() {
    let mut sources = Sources::default();
    for (said, kept) in [
        (
            "La limpieza cuesta S/ 120 [9].",
            "La limpieza cuesta S/ 120.",
        ),
        ("Hoy llueve mucho [1].", "Hoy llueve mucho."),
        ("Vea [la carta] y [x].", "Vea [la carta] y [x]."),
        ("Precio [0].", "Precio."),
        ("roto [1", "roto [1"),
    ] {
        assert_eq!(sources.renumber(said, &[passage()]), kept, "{said}");
    }
    assert!(sources.into_citations().is_empty());
}

#[test]
fn marks_behind_a_full_stop_belong_to_what_it_ends() {
    assert_eq!(
        leading_marks(" [1] [2, 3]\nAceptamos Yape [4]."),
        (" [1] [2, 3]\n", "Aceptamos Yape [4].")
    );
    assert_eq!(leading_marks("[nota] Sí."), ("", "[nota] Sí."));
    assert_eq!(leading_marks(" Sí."), ("", " Sí."));
    let mut sources = Sources::default();
    let said = "La limpieza cuesta S/ 120. ";
    assert_eq!(
        sources.renumber_of(said, "[2] ", &[passage(), passage()]),
        "[1] "
    );
    assert_eq!(sources.renumber_of("Hoy llueve.", " [1]", &[passage()]), "");
    assert_eq!(
        sources.into_citations()[0].quote,
        "La limpieza cuesta S/ 120."
    );
}
