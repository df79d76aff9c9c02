//! Markdown: the text without its marks, cut at its headings.

mod front_matter;

use crate::collect::Collector;
use crate::flow::{Gap, Sections, Writer};
use crate::{html, table, text};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use quipu_core::extraction::Failure;

/// Items deeper than this are indented no further.
const DEEPEST_INDENT: usize = 6;

pub(crate) fn extract(bytes: &[u8], out: &mut Collector) -> Result<(), Failure> {
    let text = text::decode(bytes);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut reader = Reader::default();
    for event in Parser::new_ext(&text, options) {
        reader.read(event, out)?;
    }
    reader.sections.finish(out)
}

#[derive(Default)]
struct Reader {
    sections: Sections,
    /// Something other than front matter was read.
    began: bool,
    heading: Option<(u8, Writer)>,
    table: Option<Vec<Vec<String>>>,
    cell: Option<Writer>,
    /// For each open list, the number of its next item; none for bullets.
    lists: Vec<Option<u64>>,
    links: Vec<Link>,
    /// Text that is not words of a paragraph, and is used when it is whole.
    block: Option<(Block, String)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Block {
    Code,
    Html,
    FrontMatter,
}

struct Link {
    /// Nothing when the text shows it.
    address: Option<String>,
    words: String,
}

impl Reader {
    fn read(&mut self, event: Event<'_>, out: &mut Collector) -> Result<(), Failure> {
        match event {
            Event::Start(tag) => self.begin(tag),
            Event::End(tag) => self.end(tag, out)?,
            Event::Text(text) | Event::Html(text) => match &mut self.block {
                Some((_, block)) => block.push_str(&text),
                None => self.words(&text),
            },
            // There is no mathematics without its option.
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.words(&text);
            }
            Event::InlineHtml(tag) => {
                if tag
                    .get(..3)
                    .is_some_and(|tag| tag.eq_ignore_ascii_case("<br"))
                {
                    self.flow().line_break();
                }
            }
            Event::SoftBreak | Event::HardBreak => self.flow().gap(Gap::Line),
            Event::Rule => self.flow().gap(Gap::Paragraph),
            Event::TaskListMarker(done) => self.words(if done { "[x] " } else { "[ ] " }),
            Event::FootnoteReference(label) => self.words(&format!("[{label}]")),
        }
        Ok(())
    }

    fn begin(&mut self, tag: Tag<'_>) {
        let is_front_matter = matches!(tag, Tag::MetadataBlock(_)) && !self.began;
        self.began = true;
        match tag {
            Tag::Heading { level, .. } => self.heading = Some((level as u8, Writer::default())),
            Tag::CodeBlock(_) => self.block = Some((Block::Code, String::new())),
            Tag::HtmlBlock => self.block = Some((Block::Html, String::new())),
            Tag::MetadataBlock(_) => {
                // Between two lines in the middle of a document there is only text.
                let kind = if is_front_matter {
                    Block::FrontMatter
                } else {
                    Block::Code
                };
                self.block = Some((kind, String::new()));
            }
            Tag::List(first) => {
                self.flow().gap(Gap::Line);
                self.lists.push(first);
            }
            Tag::Item => self.begin_item(),
            Tag::FootnoteDefinition(label) => {
                self.flow().gap(Gap::Paragraph);
                self.flow().marker(format!("[{label}]: "));
            }
            Tag::Table(_) => self.table = Some(Vec::new()),
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.cell = Some(Writer::default()),
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => {
                let is_shown = matches!(link_type, LinkType::Autolink | LinkType::Email)
                    || dest_url.starts_with('#');
                self.links.push(Link {
                    address: (!is_shown).then(|| dest_url.into_string()),
                    words: String::new(),
                });
            }
            Tag::Paragraph | Tag::BlockQuote(_) => self.flow().gap(Gap::Paragraph),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, out: &mut Collector) -> Result<(), Failure> {
        match tag {
            TagEnd::Heading(_) => {
                if let Some((level, mut words)) = self.heading.take() {
                    self.sections.heading(level, &words.take(), out)?;
                }
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => {
                if let Some((kind, block)) = self.block.take() {
                    self.end_block(kind, &block, out);
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
                let gap = if self.lists.is_empty() {
                    Gap::Paragraph
                } else {
                    Gap::Line
                };
                self.flow().gap(gap);
            }
            TagEnd::Item => self.flow().gap(Gap::Line),
            TagEnd::TableCell => {
                if let (Some(mut cell), Some(rows)) = (self.cell.take(), &mut self.table)
                    && let Some(row) = rows.last_mut()
                {
                    row.push(cell.take());
                }
            }
            TagEnd::Table => {
                if let Some(rows) = self.table.take() {
                    self.paragraph(&table::render_with_header(&rows));
                }
            }
            TagEnd::Link => self.end_link(),
            TagEnd::Paragraph | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => {
                self.flow().gap(Gap::Paragraph);
            }
            _ => {}
        }
        Ok(())
    }

    fn words(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut() {
            link.words.push_str(text);
        }
        self.flow().words(text);
    }

    /// Where words go now.
    fn flow(&mut self) -> &mut Writer {
        match (&mut self.heading, &mut self.cell) {
            (Some((_, heading)), _) => heading,
            (None, Some(cell)) => cell,
            (None, None) => &mut self.sections.flow,
        }
    }

    /// Adds text whose lines stay as they are.
    fn paragraph(&mut self, text: &str) {
        self.flow().gap(Gap::Paragraph);
        self.flow().verbatim(text.trim_end());
        self.flow().gap(Gap::Paragraph);
    }

    fn begin_item(&mut self) {
        let depth = self.lists.len().saturating_sub(1).min(DEEPEST_INDENT);
        let indent = "  ".repeat(depth);
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{indent}{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => format!("{indent}- "),
        };
        self.flow().marker(marker);
    }

    fn end_link(&mut self) {
        let Some(link) = self.links.pop() else {
            return;
        };
        if let Some(outer) = self.links.last_mut() {
            outer.words.push_str(&link.words);
        }
        let Some(address) = link.address.filter(|address| !address.is_empty()) else {
            return;
        };
        let bare = ["https://", "http://", "mailto:", "tel:"]
            .iter()
            .find_map(|scheme| address.strip_prefix(scheme))
            .unwrap_or(&address);
        if !link.words.contains(bare.trim_end_matches('/')) {
            self.flow().words(&format!(" ({address})"));
        }
    }

    fn end_block(&mut self, kind: Block, block: &str, out: &mut Collector) {
        match kind {
            Block::Code => self.paragraph(block),
            Block::Html => self.paragraph(&html::fragment(block)),
            Block::FrontMatter => {
                if let Some(title) = front_matter::read(block, &mut out.info) {
                    self.sections.title(&title);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{mutations, no_panic, segments, text};
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    const DOCUMENT: &str = r#"---
title: "Veterinaria San Roque"
author: Ana Ruiz
date: 2024-03-09T08:00:00
tags: [perros, gatos]
---

Bienvenidos a **la mejor** [clínica](https://sanroque.es) de la *ciudad*.
Abierta siempre. ![Un perro feliz](perro.jpg)

# Servicios

| Servicio | Precio |
|----------|-------:|
| Vacuna   | 30 €   |
| `Baño`   |        |

## Pasos

1. Llamar
   - o escribir a <hola@sanroque.es>
2. Venir

> Traiga la [cartilla](#cartilla).[^1]

[^1]: La verde.

```
a  b
 c
```

<div align="center"><b>Urgencias</b>: 600<br>24 h</div>

Fin
===

- [x] hecho<br>ya
"#;

    #[test]
    fn a_document_is_cut_at_its_headings() {
        let (info, segments) = segments(extract, DOCUMENT.as_bytes()).unwrap();
        assert_eq!(info.title.as_deref(), Some("Veterinaria San Roque"));
        assert_eq!(info.author.as_deref(), Some("Ana Ruiz"));
        assert_eq!(info.date.as_deref(), Some("2024-03-09"));
        let found: Vec<_> = segments
            .iter()
            .map(|s| (s.headings.join(" > "), s.text.as_str()))
            .collect();
        let expected = [
            (
                "",
                "Veterinaria San Roque\n\nBienvenidos a la mejor clínica (https://sanroque.es) de la ciudad.\nAbierta siempre. Un perro feliz",
            ),
            (
                "Servicios",
                "Servicios\n\nServicio: Vacuna | Precio: 30 €\nServicio: Baño",
            ),
            (
                "Servicios > Pasos",
                "Pasos\n\n1. Llamar\n  - o escribir a hola@sanroque.es\n2. Venir\n\nTraiga la cartilla.[1]\n\n[1]: La verde.\n\na  b\n c\n\nUrgencias: 600\n24 h",
            ),
            ("Fin", "Fin\n\n- [x] hecho\nya"),
        ];
        let expected: Vec<_> = expected
            .map(|(path, text)| (path.to_owned(), text))
            .to_vec();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_address_that_is_shown_is_not_repeated() {
        for (markdown, expected) in [
            ("[www.a.es](https://www.a.es/)", "www.a.es"),
            ("[a@b.es](mailto:a@b.es)", "a@b.es"),
            ("<https://a.es>", "https://a.es"),
            ("[![logo](x.png)](https://a.es)", "logo (https://a.es)"),
        ] {
            assert_eq!(text(extract, markdown.as_bytes()).unwrap(), expected);
        }
    }

    #[test]
    fn lines_between_dashes_in_the_middle_are_text() {
        assert_eq!(
            text(extract, b"uno\n\n---\nprecio: 3\n---\n\ndos").unwrap(),
            "uno\n\nprecio: 3\n\ndos"
        );
    }

    #[test]
    fn the_first_great_heading_is_the_title() {
        let (info, _) = segments(extract, "# Carta\n\nPan\n".as_bytes()).unwrap();
        assert_eq!(info.title.as_deref(), Some("Carta"));
    }

    #[test]
    fn documents_that_nest_without_end_are_read_in_time() {
        let times = 5_000;
        let documents = [
            format!("{} x\n", ">".repeat(200)).repeat(times),
            format!("{}x", ">".repeat(10 * times)),
            format!("{}x", "- ".repeat(10 * times)),
            (0..500).fold(String::new(), |text, i| text + &"  ".repeat(i) + "- x\n"),
            format!("{}x", "[".repeat(10 * times)),
            "[a](".repeat(10 * times),
            "![a](".repeat(10 * times),
            "*a_ ".repeat(10 * times),
            "`".repeat(10 * times),
            (1..500).fold(String::new(), |text, i| text + "x" + &"`".repeat(i)),
            "<a ".repeat(10 * times),
            "<!--".repeat(10 * times),
            "a | b\n".repeat(times),
            format!(
                "{}\n{}\n{}",
                "|a".repeat(times),
                "|-".repeat(times),
                "|\n".repeat(times)
            ),
            format!("[x]: {}\n\n{}", "y".repeat(times), "[x] ".repeat(times)),
            "[^a]: x\n".repeat(times),
            "# a\n".repeat(times),
        ];
        for document in documents {
            let began = Instant::now();
            no_panic(extract, document.as_bytes());
            let shown: String = document.chars().take(30).collect();
            let time = began.elapsed();
            assert!(time < Duration::from_secs(10), "{shown}: {time:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..1000)) {
            no_panic(extract, &bytes);
        }

        #[test]
        fn any_marks_are_read(marks in prop::collection::vec("[#>*_`|~+-]{1,4}|\\[|\\]\\(|\\)|\n| |texto|<b>|---\n|:-", 0..80)) {
            no_panic(extract, marks.concat().as_bytes());
        }

        #[test]
        fn any_broken_document_is_read(bytes in mutations(DOCUMENT.as_bytes())) {
            no_panic(extract, &bytes);
        }
    }
}
