//! A clinic to be asked: the demo business with more to read, and a model that answers at once.

use super::messages;
use crate::cli::own_product::OwnProduct;
use crate::clock::SystemClock;
use crate::demo::DEMO;
use anyhow::bail;
use quipu_agents::Listener;
use quipu_app::agents::UpdateAgent;
use quipu_app::chat::{self, Answered, Ask, Whom};
use quipu_app::documents::AddText;
use quipu_app::knowledge_bases::UpdateKnowledgeBase;
use quipu_app::{Actor, RequestInfo, agents, bootstrap, knowledge, knowledge_bases};
use quipu_core::access::Principal;
use quipu_core::chat::ChatMessage;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::lead::Channel;
use quipu_core::page::PageRequest;
use quipu_scripted::{Dialect, ScriptedModel, Step};
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Texts that the agent has to read beside those of the demo, and what each is made of.
pub(super) const TEXTS: usize = 20;
pub(super) const PARAGRAPHS: usize = 50;
const PATIENCE: Duration = Duration::from_mins(5);

pub(super) struct Clinic {
    product: OwnProduct,
    actor: Actor,
    agent: String,
    pub(super) model: ScriptedModel,
    asked: AtomicUsize,
}

impl Clinic {
    /// A clinic whose knowledge has the vectors of a built-in model.
    pub(super) async fn open(embedding: &str) -> anyhow::Result<Self> {
        let model = ScriptedModel::start([]).await;
        model.forget();
        let clock = Arc::new(SystemClock);
        let product = OwnProduct::build("turns", clock, vec![model.host()]).await?;
        let app = &product.app;
        bootstrap::load_demo(app, &DEMO).await?;
        let (system, slug) = (Principal::System, Some(DEMO.slug));
        let actor = Actor::enter(app, system, slug, RequestInfo::default()).await?;
        let agent = agents::active(app, &actor).await?.slug;
        let settings = json!({ "model": {
            "provider": "openai_compatible",
            "model": "scripted",
            "base_url": model.base(Dialect::Openai),
        }});
        let change = UpdateAgent {
            settings: Some(settings),
            ..UpdateAgent::default()
        };
        agents::update(app, &actor, &agent, change).await?;
        for number in 0..TEXTS {
            let text = AddText {
                title: Some(format!("Cuaderno {number}")),
                content: text(number),
                category: None,
                tags: Vec::new(),
                metadata: json!({}),
            };
            knowledge::add_text(app, &actor, &agent, text).await?;
        }
        let kbs = knowledge_bases::list(app, &actor, None, None, PageRequest::default()).await?;
        for kb in kbs.data {
            let change = UpdateKnowledgeBase {
                embedding_config: Some(EmbeddingConfig {
                    model: embedding.to_owned(),
                    ..EmbeddingConfig::default()
                }),
                ..UpdateKnowledgeBase::default()
            };
            knowledge_bases::update(app, &actor, kb.id, change).await?;
        }
        product.settled(&actor).await?;
        let clinic = Self {
            product,
            actor,
            agent,
            model,
            asked: AtomicUsize::new(0),
        };
        clinic.searched_with(embedding).await?;
        Ok(clinic)
    }

    /// Waits until everything is searched with the vectors of this model.
    async fn searched_with(&self, embedding: &str) -> anyhow::Result<()> {
        let began = Instant::now();
        let app = &self.product.app;
        loop {
            let page = PageRequest::default();
            let kbs = knowledge_bases::list(app, &self.actor, None, None, page).await?;
            let mut kbs = kbs.data.iter();
            if kbs.all(|kb| kb.searched_with.model == embedding) {
                return Ok(());
            }
            if began.elapsed() > PATIENCE {
                bail!("the vectors of {embedding} were not made in {PATIENCE:?}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// What the model does from now on.
    pub(super) fn script(&self, steps: impl IntoIterator<Item = Step>) {
        let _ = self.model.clear();
        self.model.add(steps);
    }

    /// Asks something that was not asked before, as this customer or as nobody in particular.
    pub(super) async fn ask(
        &self,
        customer: Option<usize>,
        listener: &mut dyn Listener,
    ) -> anyhow::Result<(Duration, Answered)> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        let ask = Ask {
            whom: customer.map_or(Whom::Nobody, |customer| {
                Whom::Visitor(format!("cliente-{customer}"))
            }),
            channel: Channel::Web,
            ..Ask::anonymous(vec![
                ChatMessage::user("Hola, ¿atienden hoy?"),
                ChatMessage::assistant("¡Hola! Sí, cuéntame en qué te ayudo."),
                ChatMessage::user(messages::question(number)),
            ])
        };
        let app = &self.product.app;
        let began = Instant::now();
        let answered = chat::answer(app, &self.actor, &self.agent, ask, listener).await?;
        let taken = began.elapsed();
        let Some(answer) = &answered.answer else {
            bail!("a person answers, and not the agent");
        };
        if answer.degraded || answer.trace.model_calls == 0 {
            bail!(
                "the model did not answer: {}",
                serde_json::to_string(&answer.trace)?
            );
        }
        Ok((taken, answered))
    }

    pub(super) async fn close(self) -> anyhow::Result<()> {
        self.product.end().await
    }
}

/// A text of its own for each number, a paragraph a chunk or so.
fn text(number: usize) -> String {
    const ABOUT: &[&str] = &[
        "el cuidado después de una extracción",
        "la higiene de los aparatos",
        "las visitas de los niños",
        "los seguros y convenios",
        "la esterilización del instrumental",
        "los turnos de la tarde",
        "el retiro de puntos",
    ];
    let mut text = String::new();
    for paragraph in 0..PARAGRAPHS {
        let about = ABOUT[(number * 3 + paragraph) % ABOUT.len()];
        let other = ABOUT[(number + paragraph * 2) % ABOUT.len()];
        let _ = write!(
            text,
            "## Nota {number}.{paragraph}\n\nEn la nota {paragraph} del cuaderno {number} el \
             equipo escribe sobre {about}. Conviene leerla junto con lo que se sabe de {other}, \
             porque los pacientes suelen preguntar por las dos cosas en la misma visita. Quien \
             atiende anota la fecha, lo que se explicó y lo que quedó pendiente para la próxima \
             vez, y lo repasa con la persona antes de despedirse en la recepción.\n\n"
        );
    }
    text
}
