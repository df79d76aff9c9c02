//! Cutting passages into what can be quoted: a sentence, or a line of a list under its heading.

use quipu_core::analysis::terms;
use quipu_core::language::Language;
use quipu_core::retrieval::Passage;
use quipu_core::text;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A line with more words than this is no heading, even when it ends in a colon.
const HEADING_WORDS: usize = 10;

/// After these a full stop does not end a sentence, although a capital letter may follow.
const ABBREVIATIONS: &[&str] = &[
    "av", "avda", "ca", "cdra", "dr", "dra", "dpto", "jr", "lic", "lt", "mz", "no", "nro", "of",
    "psje", "s/", "sr", "sra", "srta", "sto", "sta", "st", "mr", "mrs", "ms", "tel", "ud", "uds",
    "urb",
];

/// Something that can be quoted on its own.
pub(super) struct Unit<'a> {
    pub(super) passage: usize,
    /// Where it stands in the passage, in bytes and without its list marker.
    pub(super) range: Range<usize>,
    pub(super) heading: Option<Heading<'a>>,
    /// It comes first under its heading.
    pub(super) first: bool,
    /// It is a line of a list, which its neighbours may complete.
    pub(super) listed: bool,
    /// The passage may begin in the middle of it.
    pub(super) doubtful: bool,
    pub(super) language: Language,
    pub(super) words: usize,
    /// The first of its terms: what a line begins with is what it is about.
    pub(super) subject: Option<String>,
    pub(super) terms: HashSet<String>,
    pub(super) heading_terms: HashSet<String>,
    /// What the document calls itself, which its sentences need not repeat.
    pub(super) title_terms: HashSet<String>,
}

#[derive(Clone)]
pub(super) struct Heading<'a> {
    pub(super) text: &'a str,
    /// Where it stands in the unit's own passage; `None` when a neighbour holds it.
    pub(super) range: Option<Range<usize>>,
}

impl Heading<'_> {
    /// What stands under it answers this question and no other.
    pub(super) fn asks(&self) -> bool {
        self.text.ends_with('?')
    }
}

/// Cuts passages into units. A passage that begins in the middle of a section takes its heading
/// from the passage before it, when that one is there.
pub(super) fn cut<'a>(passages: &'a [Passage], fallback: Language) -> Vec<Unit<'a>> {
    let mut order: Vec<usize> = (0..passages.len()).collect();
    order.sort_by_key(|&i| passages[i].start_char);
    let mut cut: Vec<(usize, Vec<Unit<'a>>)> = Vec::new();
    for &i in &order {
        let inherited = cut
            .iter()
            .rev()
            .find_map(|(j, units)| heading_at(passages, *j, units, i));
        cut.push((i, cut_one(&passages[i], i, inherited, fallback)));
    }
    cut.sort_by_key(|(i, _)| *i);
    let all: Vec<Unit<'a>> = cut.into_iter().flat_map(|(_, units)| units).collect();
    // Neighbouring passages overlap. What stands in both is quoted once, from the passage that
    // certainly holds all of it and its heading too.
    let text = |unit: &Unit<'a>| &passages[unit.passage].content[unit.range.clone()];
    let rank = |unit: &Unit<'a>| {
        (
            unit.doubtful,
            unit.heading.as_ref().is_none_or(|h| h.range.is_none()),
        )
    };
    let mut best: HashMap<&str, usize> = HashMap::new();
    for (i, unit) in all.iter().enumerate() {
        let kept = best.entry(text(unit)).or_insert(i);
        if rank(unit) < rank(&all[*kept]) {
            *kept = i;
        }
    }
    let kept: HashSet<usize> = best.into_values().collect();
    all.into_iter()
        .enumerate()
        .filter(|(i, _)| kept.contains(i))
        .map(|(_, unit)| unit)
        .collect()
}

/// The heading that holds in passage `j` where passage `i` of the same document begins.
fn heading_at<'a>(
    passages: &'a [Passage],
    j: usize,
    units: &[Unit<'a>],
    i: usize,
) -> Option<Heading<'a>> {
    let (before, after) = (&passages[j], &passages[i]);
    if before.document_id != after.document_id || before.end_char < after.start_char {
        return None;
    }
    let offset = usize::try_from(after.start_char - before.start_char).ok()?;
    let begins = before
        .content
        .char_indices()
        .nth(offset)
        .map_or(before.content.len(), |(byte, _)| byte);
    let unit = units.iter().rev().find(|unit| unit.range.start <= begins)?;
    unit.heading.as_ref().map(|heading| Heading {
        text: heading.text,
        range: None,
    })
}

fn cut_one<'a>(
    passage: &'a Passage,
    index: usize,
    inherited: Option<Heading<'a>>,
    fallback: Language,
) -> Vec<Unit<'a>> {
    let language = Language::guess(&passage.content).unwrap_or(fallback);
    let title = passage.title.as_deref().unwrap_or_default();
    let title_terms: HashSet<String> = terms(title, language).into_iter().collect();
    let mut heading = inherited;
    let mut first = false;
    let mut units = Vec::new();
    let mut offset = 0;
    for line in passage.content.split_inclusive('\n') {
        let (body, kind) = read_line(line);
        let start = offset + (body.as_ptr().addr() - line.as_ptr().addr());
        offset += line.len();
        if !body.chars().any(char::is_alphanumeric) {
            continue;
        }
        if kind == Line::Heading {
            let text = body.trim_end_matches([':', '*', '_']);
            first = true;
            heading = Some(Heading {
                text,
                range: Some(start..start + text.len()),
            });
            continue;
        }
        let pieces = match kind {
            Line::Listed => std::iter::once(0..body.len()).collect(),
            _ => sentences(body),
        };
        for piece in pieces {
            let range = start + piece.start..start + piece.end;
            if kind == Line::Prose && body[piece].ends_with('?') {
                // A question tells nobody anything; what follows it does.
                first = true;
                heading = Some(Heading {
                    text: &passage.content[range.clone()],
                    range: Some(range),
                });
                continue;
            }
            let own = terms(&passage.content[range.clone()], language);
            let heading_text = heading.as_ref().map_or("", |h| h.text);
            units.push(Unit {
                passage: index,
                heading: heading.clone(),
                first: std::mem::take(&mut first),
                listed: kind == Line::Listed,
                doubtful: range.start == 0 && passage.start_char > 0,
                language,
                words: text::words(&passage.content[range.clone()]).count(),
                subject: own.first().cloned(),
                terms: own.into_iter().collect(),
                heading_terms: terms(heading_text, language).into_iter().collect(),
                title_terms: title_terms.clone(),
                range,
            });
        }
    }
    units
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Heading,
    Listed,
    Prose,
}

/// The words of a line without its marker, and what kind of line it is.
fn read_line(line: &str) -> (&str, Line) {
    let line = line.trim();
    if line.starts_with('#') {
        return (line.trim_start_matches('#').trim_start(), Line::Heading);
    }
    if let Some(bold) = line
        .strip_prefix("**")
        .and_then(|l| l.trim_end_matches(':').strip_suffix("**"))
        && !bold.contains("**")
    {
        return (bold, Line::Heading);
    }
    if let Some(row) = line.strip_prefix('|') {
        return (row.trim_end_matches('|').trim(), Line::Listed);
    }
    if let Some(item) = line
        .strip_prefix(['-', '*', '•', '·', '–'])
        .filter(|item| item.starts_with(' '))
    {
        return (item.trim_start(), Line::Listed);
    }
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if number.len() < line.len()
        && let Some(item) = number
            .strip_prefix(['.', ')'])
            .filter(|item| item.starts_with(' '))
    {
        return (item.trim_start(), Line::Listed);
    }
    let titled =
        line.ends_with(':') && text::words(line).take(HEADING_WORDS + 1).count() <= HEADING_WORDS;
    (line, if titled { Line::Heading } else { Line::Prose })
}

/// The sentences of a line, without stopping at abbreviations.
fn sentences(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for sentence in text::sentences(line) {
        let start = sentence.as_ptr().addr() - line.as_ptr().addr();
        let end = start + sentence.len();
        match found
            .last_mut()
            .filter(|last| ends_in_abbreviation(&line[(*last).clone()]))
        {
            Some(last) => last.end = end,
            None => found.push(start..end),
        }
    }
    found
}

fn ends_in_abbreviation(sentence: &str) -> bool {
    let Some(word) = sentence
        .strip_suffix('.')
        .and_then(|s| s.rsplit([' ', '(', '\u{a0}']).next())
    else {
        return false;
    };
    ABBREVIATIONS.contains(&text::fold(word).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::tests::passage;

    fn texts(passages: &[Passage]) -> Vec<(&str, Option<&str>)> {
        cut(passages, Language::Es)
            .iter()
            .map(|u| {
                (
                    &passages[u.passage].content[u.range.clone()],
                    u.heading.as_ref().map(|h| h.text),
                )
            })
            .collect()
    }

    #[test]
    fn lists_keep_their_heading_and_lose_their_markers() {
        let passages = [passage(
            "## Horario\n- Lunes: de 9 a 6. Sin pausa.\n1. Sábados: de 9 a 2\n\nPagos:\n| Yape | sí |\n|---|---|",
        )];
        assert_eq!(
            texts(&passages),
            [
                ("Lunes: de 9 a 6. Sin pausa.", Some("Horario")),
                ("Sábados: de 9 a 2", Some("Horario")),
                ("Yape | sí", Some("Pagos")),
            ]
        );
    }

    #[test]
    fn abbreviations_do_not_end_sentences() {
        let passages = [passage(
            "Estamos en la Av. Los Pinos 12. Te atiende la Dra. Ríos por S/. 50. Llama antes.",
        )];
        let found: Vec<&str> = texts(&passages).into_iter().map(|(text, _)| text).collect();
        assert_eq!(
            found,
            [
                "Estamos en la Av. Los Pinos 12.",
                "Te atiende la Dra. Ríos por S/. 50.",
                "Llama antes."
            ]
        );
    }

    #[test]
    fn a_passage_inherits_the_heading_of_the_one_before_and_repeats_nothing() {
        let first = passage("## Precios\n- Limpieza: S/ 120\n- Resina: S/ 150");
        let mut second = passage("Resina: S/ 150\n- Corona: S/ 900");
        second.document_id = first.document_id;
        (second.start_char, second.end_char) = (33, 64);
        let passages = [second, first];
        let found = texts(&passages);
        assert_eq!(found.len(), 3);
        assert!(
            found.iter().all(|(_, heading)| *heading == Some("Precios")),
            "{found:?}"
        );
    }

    #[test]
    fn the_middle_of_a_sentence_is_doubtful() {
        let mut cut_off = passage("de 9 a 6 todos los días. Los sábados cerramos a las 2.");
        cut_off.start_char = 40;
        let passages = [cut_off];
        let doubtful: Vec<bool> = cut(&passages, Language::Es)
            .iter()
            .map(|u| u.doubtful)
            .collect();
        assert_eq!(doubtful, [true, false]);
    }
}
