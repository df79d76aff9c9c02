use super::*;
use futures::stream::iter;
use quipu_core::chat::{FinishReason, Usage};
use std::sync::atomic::{AtomicUsize, Ordering};

enum Does {
    Answers(&'static str),
    Fails(ChatError),
    BreaksOff,
    Hangs,
}

struct Fixed {
    name: &'static str,
    does: Does,
    asked: AtomicUsize,
}

#[async_trait]
impl ChatModel for Fixed {
    fn name(&self) -> &str {
        self.name
    }

    async fn chat(&self, _: &ChatRequest) -> Result<ChatStream, ChatError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let text = |text: &str| Ok(ChatEvent::TextDelta(text.to_owned()));
        match &self.does {
            Does::Answers(said) => {
                let (reason, usage) = (FinishReason::Stop, Usage::default());
                let finished = Ok(ChatEvent::Finished { reason, usage });
                Ok(iter([text(said), finished]).boxed())
            }
            Does::Fails(error) => Err(error.clone()),
            Does::BreaksOff => {
                let error = ChatError::transient("the line is cut");
                Ok(iter([text("Ho"), Err(error)]).boxed())
            }
            Does::Hangs => std::future::pending().await,
        }
    }
}

fn model(name: &'static str, does: Does) -> Arc<Fixed> {
    Arc::new(Fixed {
        name,
        does,
        asked: AtomicUsize::new(0),
    })
}

fn chain(models: &[Arc<Fixed>]) -> Chain {
    let models = models.iter().map(|m| m.clone() as Arc<dyn ChatModel>);
    Chain::new(models.collect(), Duration::from_secs(10))
}

fn down() -> Does {
    Does::Fails(ChatError::Transient {
        why: "503".to_owned(),
        retry_after: Some(Duration::from_secs(7)),
    })
}

fn bad_key() -> Does {
    Does::Fails(ChatError::permanent(RefusalKind::BadKey, "401"))
}

async fn gathered(chain: &Chain) -> Result<ChatAnswer, ChatError> {
    gather(chain.chat(&ChatRequest::default()).await?).await
}

#[tokio::test(start_paused = true)]
async fn the_first_that_answers_is_named_with_those_before_it() {
    let models = [
        model("a", down()),
        model("b", bad_key()),
        model("c", Does::Answers("Hola")),
        model("d", Does::Answers("nadie")),
    ];
    let chain = chain(&models);
    assert_eq!(chain.name(), "a > b > c > d");
    for answer in [
        gathered(&chain).await.unwrap(),
        chain.answer(&ChatRequest::default()).await.unwrap(),
    ] {
        assert_eq!(answer.text, "Hola");
        assert_eq!(answer.model.as_deref(), Some("c"));
        let skipped: Vec<(&str, Option<RefusalKind>)> = answer
            .skipped
            .iter()
            .map(|skipped| (skipped.model.as_str(), skipped.error.kind()))
            .collect();
        assert_eq!(skipped, [("a", None), ("b", Some(RefusalKind::BadKey))]);
    }
    assert_eq!(models[3].asked.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_not_offered_to_the_next() {
    let refused = Does::Fails(ChatError::permanent(RefusalKind::Refused, "no"));
    let models = [
        model("a", down()),
        model("b", refused),
        model("c", Does::Answers("Sí")),
    ];
    let error = gathered(&chain(&models)).await.unwrap_err();
    assert_eq!(error.kind(), Some(RefusalKind::Refused));
    assert_eq!(models[2].asked.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn when_nobody_answers_all_reasons_are_told() {
    let error = gathered(&chain(&[model("a", bad_key()), model("b", down())])).await;
    let expected = ChatError::Transient {
        why: "a: bad_key: 401; b: 503".to_owned(),
        retry_after: Some(Duration::from_secs(7)),
    };
    assert_eq!(error, Err(expected));
    let error = gathered(&chain(&[model("a", bad_key())])).await;
    assert_eq!(error.unwrap_err().kind(), Some(RefusalKind::BadKey));
    let error = gathered(&chain(&[])).await.unwrap_err();
    assert_eq!(error.kind(), Some(RefusalKind::UnknownModel));
}

#[tokio::test(start_paused = true)]
async fn whoever_hangs_leaves_half_of_the_time_to_the_next() {
    let models = [model("a", Does::Hangs), model("b", Does::Answers("Hola"))];
    let chain = chain(&models);
    for (begin_within, most) in [(None, 5_500), (Some(Duration::from_secs(4)), 2_500)] {
        let request = ChatRequest {
            begin_within,
            ..ChatRequest::default()
        };
        let began = Instant::now();
        let answer = gather(chain.chat(&request).await.unwrap()).await.unwrap();
        assert_eq!(answer.text, "Hola");
        assert_eq!(answer.skipped[0].model, "a");
        assert!(began.elapsed() <= Duration::from_millis(most));
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_longer_than_they_want_to() {
    let models = [model("a", Does::Hangs), model("b", Does::Hangs)];
    let began = Instant::now();
    gathered(&chain(&models)).await.unwrap_err();
    assert!(began.elapsed() <= Duration::from_millis(10_100));
    assert_eq!(models[1].asked.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn half_an_answer_is_only_mended_where_nobody_saw_it() {
    let models = [
        model("a", Does::BreaksOff),
        model("b", Does::Answers("Hola")),
    ];
    let chain = chain(&models);
    assert!(gathered(&chain).await.is_err());
    let answer = chain.answer(&ChatRequest::default()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.skipped.len()), ("Hola", 1));
}
