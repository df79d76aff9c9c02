//! What a model that sees is asked about a picture: for the words on a ticket, and nothing about
//! them. What they mean is read by the same reader as any other text of a ticket, so that nothing
//! printed on paper can say what is done with it.

use quipu_core::chat::{ChatAnswer, ChatMessage, ChatRequest, FinishReason, Image};

const INSTRUCTIONS: &str = include_str!("../data/prompts/ticket.txt");
/// Some picture needs some words beside it: not every model takes a message without.
const QUESTION: &str = "Copy the ticket.";
/// The longest answer that is waited for. A ticket as long as an arm has half of it; models that
/// think count that as well.
const MOST_TOKENS: u32 = 4_000;
/// The largest picture that every provider takes, written in its letters.
const MOST_BYTES: usize = 3_750_000;

/// What a model is asked, so that it copies the ticket on a picture. `None` where the picture is too
/// large.
#[must_use]
pub fn ticket_request(picture: Image) -> Option<ChatRequest> {
    (picture.bytes.len() <= MOST_BYTES).then(|| ChatRequest {
        system: INSTRUCTIONS.trim().to_owned(),
        messages: vec![ChatMessage::User {
            text: QUESTION.to_owned(),
            images: vec![picture],
        }],
        temperature: Some(0.0),
        max_tokens: Some(MOST_TOKENS),
        ..ChatRequest::default()
    })
}

/// The copy in a model's answer. What breaks off is none: the total stands last.
#[must_use]
pub fn ticket_text(answer: &ChatAnswer) -> Option<&str> {
    let whole = answer.reason == FinishReason::Stop && answer.tool_calls.is_empty();
    let text = answer.text.trim();
    (whole && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::chat::{ImageType, Usage};

    fn picture(size: usize) -> Image {
        Image {
            kind: ImageType::Jpeg,
            bytes: vec![0; size].into(),
        }
    }

    #[test]
    fn a_model_gets_the_picture_and_nothing_to_do_with_it() {
        let request = ticket_request(picture(100)).unwrap();
        let [ChatMessage::User { images, .. }] = request.messages.as_slice() else {
            panic!("one message");
        };
        assert_eq!(*images, [picture(100)]);
        assert!(request.tools.is_empty());
        assert!(ticket_request(picture(MOST_BYTES)).is_some());
        assert!(ticket_request(picture(MOST_BYTES + 1)).is_none());
    }

    #[test]
    fn half_a_ticket_is_none() {
        let answer = |text: &str, reason| ChatAnswer {
            model: None,
            skipped: Vec::new(),
            text: text.to_owned(),
            tool_calls: Vec::new(),
            reason,
            usage: Usage::default(),
        };
        let whole = answer(" TOTAL 10.00\n", FinishReason::Stop);
        assert_eq!(ticket_text(&whole), Some("TOTAL 10.00"));
        for none in [
            answer("Folio 1", FinishReason::Length),
            answer("Folio 1", FinishReason::ToolCalls),
            answer(" \n", FinishReason::Stop),
        ] {
            assert_eq!(ticket_text(&none), None, "{none:?}");
        }
    }
}
