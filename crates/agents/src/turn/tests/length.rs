//! No answer of a model has more sentences than its agent's may have.

use super::stage::{Clinic, Scripted, ask, calls, input, passage, says};

async fn told(most: usize, text: &str) -> (String, usize) {
    let model = Scripted::new(vec![says(text)]);
    let desk = Clinic {
        passages: vec![passage("La tapa es violeta. El envase es de vidrio.")],
        ..Clinic::default()
    };
    let mut turn = input(&["cuéntame de ustedes"]);
    turn.limits.sentences = most;
    let (answer, _) = ask(turn, &model, &desk).await;
    assert!(!answer.degraded, "{}", answer.text);
    (answer.text, answer.citations.len())
}

#[tokio::test]
async fn sentences_beyond_the_limit_do_not_leave() {
    let long = "La tapa es violeta. [1] El envase es de vidrio. [1] Somos un gran equipo. Ven pronto. Te va a gustar.";
    assert_eq!(
        told(1, long).await,
        ("La tapa es violeta. [1]".to_owned(), 1)
    );
    let two = "La tapa es violeta. [1] El envase es de vidrio. [2]";
    assert_eq!(told(2, long).await, (two.to_owned(), 2));
}

#[tokio::test]
async fn the_question_and_what_may_save_somebody_leave_all_the_same() {
    let asked = "Con gusto. Te ayudo con tu cita. Tenemos un gran equipo. ¿Qué día prefieres?";
    assert_eq!(told(2, asked).await.0, "Con gusto. ¿Qué día prefieres?");
    let urgent =
        "Lo siento mucho. Eso duele. Te entiendo. Si no puedes respirar, ve a urgencias ya.";
    let text = told(1, urgent).await.0;
    assert_eq!(
        text,
        "Lo siento mucho. Si no puedes respirar, ve a urgencias ya."
    );
}

#[tokio::test]
async fn what_was_said_before_a_tool_takes_no_room() {
    let mut first = says("Déjame revisar.").unwrap();
    first.pop();
    first.extend(calls(&[("get_service_info", r#"{"service_name": "limpieza"}"#)]).unwrap());
    let model = Scripted::new(vec![
        Ok(first),
        says("La limpieza cuesta S/ 120. Es muy buena."),
    ]);
    let mut turn = input(&["¿cuánto cuesta la limpieza?"]);
    turn.limits.sentences = 1;
    let (answer, _) = ask(turn, &model, &Clinic::default()).await;
    assert_eq!(answer.text, "Déjame revisar. La limpieza cuesta S/ 120.");
}
