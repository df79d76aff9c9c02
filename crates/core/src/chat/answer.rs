//! A whole answer, for whoever cannot use it piece by piece.

use super::event::{ChatError, ChatEvent, FinishReason, Skipped, ToolCall, Usage};
use futures_core::stream::BoxStream;
use std::future::poll_fn;

#[derive(Clone, Debug, PartialEq)]
pub struct ChatAnswer {
    /// Who answered, where several could.
    pub model: Option<String>,
    /// Those that came before and did not.
    pub skipped: Vec<Skipped>,
    pub text: String,
    pub tool_calls: Vec<ToolCall>,
    pub reason: FinishReason,
    pub usage: Usage,
}

/// Gathers the pieces of an answer. Whoever made the stream has bounded what it holds.
///
/// # Errors
/// The error that the stream ends with; and one that may pass where it just ends.
pub async fn gather(
    mut stream: BoxStream<'static, Result<ChatEvent, ChatError>>,
) -> Result<ChatAnswer, ChatError> {
    let mut answer = ChatAnswer {
        model: None,
        skipped: Vec::new(),
        text: String::new(),
        tool_calls: Vec::new(),
        reason: FinishReason::Stop,
        usage: Usage::default(),
    };
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        match event? {
            ChatEvent::Answering { model, skipped } => {
                answer.model = Some(model);
                answer.skipped = skipped;
            }
            ChatEvent::TextDelta(text) => answer.text.push_str(&text),
            ChatEvent::ToolCall(call) => answer.tool_calls.push(call),
            ChatEvent::Finished { reason, usage } => {
                answer.reason = reason;
                answer.usage = usage;
                return Ok(answer);
            }
        }
    }
    Err(ChatError::transient("the answer ended before its end"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_core::Stream;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    /// The standard library has no stream out of a list.
    struct Events(Vec<Result<ChatEvent, ChatError>>);

    impl Stream for Events {
        type Item = Result<ChatEvent, ChatError>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            let next = (!self.0.is_empty()).then(|| self.0.remove(0));
            Poll::Ready(next)
        }
    }

    fn gathered(events: Vec<Result<ChatEvent, ChatError>>) -> Result<ChatAnswer, ChatError> {
        let mut whole = pin!(gather(Box::pin(Events(events))));
        match whole.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => answer,
            Poll::Pending => panic!("nothing to wait for"),
        }
    }

    #[test]
    fn pieces_become_an_answer() {
        let call = ToolCall {
            id: "1".to_owned(),
            name: "book".to_owned(),
            arguments: "{}".to_owned(),
            signature: None,
        };
        let usage = Usage {
            input_tokens: 7,
            ..Usage::default()
        };
        let answer = gathered(vec![
            Ok(ChatEvent::Answering {
                model: "openai/m".to_owned(),
                skipped: Vec::new(),
            }),
            Ok(ChatEvent::TextDelta("Hola".to_owned())),
            Ok(ChatEvent::TextDelta(", Ana".to_owned())),
            Ok(ChatEvent::ToolCall(call.clone())),
            Ok(ChatEvent::Finished {
                reason: FinishReason::ToolCalls,
                usage,
            }),
        ])
        .unwrap();
        assert_eq!(answer.text, "Hola, Ana");
        assert_eq!(answer.tool_calls, [call]);
        assert_eq!(answer.model.as_deref(), Some("openai/m"));
        assert_eq!(
            (answer.reason, answer.usage),
            (FinishReason::ToolCalls, usage)
        );
    }

    #[test]
    fn half_an_answer_is_none() {
        let text = || Ok(ChatEvent::TextDelta("Hola".to_owned()));
        assert!(matches!(
            gathered(vec![text()]),
            Err(ChatError::Transient { .. })
        ));
        assert!(gathered(vec![]).is_err());
        let refused = ChatError::permanent(super::super::RefusalKind::Refused, "no");
        let found = gathered(vec![text(), Err(refused.clone())]);
        assert_eq!(found, Err(refused));
    }
}
