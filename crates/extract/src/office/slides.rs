//! Presentations: one segment per slide, with what the speaker meant to say.

use super::prose::Prose;
use super::{describe, dots, each_picture, is_whole};
use crate::collect::Collector;
use office_oxide::ir::{DocumentIR, Section};
use quipu_core::extraction::{Failure, Segment, SegmentKind};

const LONGEST_TITLE: usize = 120;

pub(super) fn extract(document: &DocumentIR, out: &mut Collector) -> Result<bool, Failure> {
    let about = &document.metadata;
    describe(
        &mut out.info,
        about.title.as_deref(),
        about.author.as_deref(),
        [about.created.as_deref(), about.modified.as_deref()],
    );
    out.info.pages = u32::try_from(document.sections.len()).ok();
    // A hidden slide is not shown to anybody, unless all of them are hidden.
    let all_hidden = document.sections.iter().all(|slide| slide.hidden);
    for (number, slide) in (1..).zip(&document.sections) {
        if all_hidden || !slide.hidden {
            push_slide(number, slide, out)?;
        }
    }
    Ok(is_whole(about))
}

fn push_slide(number: u32, slide: &Section, out: &mut Collector) -> Result<(), Failure> {
    let mut parts = vec![text_of(&slide.elements)?];
    if let Some(notes) = &slide.speaker_notes {
        parts.push(text_of(notes)?);
    }
    let title = slide
        .title
        .as_deref()
        .and_then(|title| crate::text::one_line(title, LONGEST_TITLE));
    if let Some(title) = &title
        && !parts.iter().any(|part| part.contains(title.as_str()))
    {
        parts.insert(0, title.clone());
    }
    parts.retain(|part| !part.is_empty());
    let place = Segment {
        text: String::new(),
        kind: SegmentKind::Unit,
        page: Some(number),
        headings: title.into_iter().collect(),
    };
    out.push(Segment {
        text: parts.join("\n\n"),
        ..place.clone()
    })?;
    each_picture(&slide.elements, &mut |image| {
        if let Some(number) = dots(image).and_then(|dots| out.pictures.admit(dots)) {
            out.place_picture(number, place.clone());
        }
    });
    Ok(())
}

/// The text of a slide, which has no sections of its own.
fn text_of(elements: &[office_oxide::ir::Element]) -> Result<String, Failure> {
    let mut apart = Collector::default();
    let mut prose = Prose::default();
    prose.elements(elements, &mut apart)?;
    prose.sections.finish(&mut apart)?;
    match apart.finish() {
        Ok(extracted) => Ok(extracted.text()),
        Err(Failure::NoText) => Ok(String::new()),
        Err(failure) => Err(failure),
    }
}
