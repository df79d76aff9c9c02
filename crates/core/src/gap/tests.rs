use super::{AskedInVain, GapDecision, GapReason, GapStatus, gap, gather};
use crate::{AgentId, LeadId, Timestamp, TurnId};
use uuid::Uuid;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn asked(question: &str, second: i64) -> AskedInVain {
    AskedInVain {
        turn_id: TurnId::generate(at(second)),
        agent_id: AgentId::from_uuid(Uuid::nil()),
        conversation_id: None,
        lead_id: None,
        question: question.to_owned(),
        reason: GapReason::Unanswered,
        asked_at: at(second),
        decision: None,
    }
}

fn decided(status: GapStatus, second: i64) -> GapDecision {
    GapDecision {
        status,
        faq_id: Some(Uuid::max()),
        by: "user:1".to_owned(),
        at: at(second),
    }
}

/// Two things, each asked for in two ways that are nearly alike.
fn vectors() -> Vec<Vec<f32>> {
    vec![
        vec![1.0, 0.0, 0.0],
        vec![0.0, 1.0, 0.0],
        vec![0.8, 0.0, 0.6],
        vec![0.1, 0.99, 0.0],
    ]
}

#[test]
fn what_asks_for_the_same_is_put_together() {
    let all: Vec<AskedInVain> = (0..4).map(|i| asked("¿?", i)).collect();
    assert_eq!(gather(&all, &vectors()), [vec![0, 2], vec![1, 3]]);
    assert!(gather(&[], &[]).is_empty());
}

#[test]
fn a_gap_says_how_often_and_by_whom_it_was_asked() {
    let mut all: Vec<AskedInVain> = (0..4).map(|i| asked("¿Hay estacionamiento?", i)).collect();
    let lead = Some(LeadId::generate(at(0)));
    (all[0].lead_id, all[2].lead_id) = (lead, lead);
    for place in [0, 2] {
        all[place].question = "mi correo es ana@example.com, ¿hay cochera?".to_owned();
    }
    let told = gap(&all, &vectors(), &[0, 2]).unwrap();
    assert_eq!((told.asked, told.customers), (2, 1));
    assert_eq!((told.first_asked_at, told.last_asked_at), (at(0), at(2)));
    assert_eq!(told.status, GapStatus::Open);
    assert!(
        !told.question.contains("ana@example.com"),
        "{}",
        told.question
    );
    let newest = told.questions.first().map(|question| question.turn_id);
    assert_eq!(newest, Some(all[2].turn_id));
}

#[test]
fn an_answered_gap_opens_again_when_it_is_asked_again() {
    let mut all = vec![asked("¿Cochera?", 0), asked("¿Hay cochera?", 1)];
    let near = vec![vec![1.0], vec![1.0], vec![1.0]];
    all[0].decision = Some(decided(GapStatus::Answered, 10));
    all[1].decision = Some(decided(GapStatus::Answered, 10));
    let told = gap(&all, &near, &[0, 1]).unwrap();
    assert_eq!((told.status, told.asked), (GapStatus::Answered, 2));
    // Whoever wrote the answer asks before anybody can know it.
    all.push(asked("¿Cochera?", 20));
    let told = gap(&all, &near, &[0, 1, 2]).unwrap();
    assert_eq!((told.status, told.asked), (GapStatus::Answered, 3));
    all[2] = asked("¿Dónde está la cochera?", 200);
    let told = gap(&all, &near, &[0, 1, 2]).unwrap();
    assert_eq!((told.status, told.asked), (GapStatus::Open, 1));
    assert_eq!(told.faq_id, Some(Uuid::max()));
    assert_eq!(told.id, all[0].turn_id);
}

#[test]
fn a_dismissed_gap_stays_dismissed() {
    let mut all = vec![asked("¿Venden autos?", 0), asked("¿Autos?", 30)];
    all[0].decision = Some(decided(GapStatus::Dismissed, 10));
    let told = gap(&all, &[vec![1.0], vec![1.0]], &[0, 1]).unwrap();
    assert_eq!((told.status, told.asked), (GapStatus::Dismissed, 2));
}

#[test]
fn the_plainest_of_very_many_questions_is_found_while_somebody_waits() {
    let all: Vec<AskedInVain> = (0..2_000).map(|i| asked("¿Hay cochera?", i)).collect();
    let vectors = vec![vec![0.05; 384]; all.len()];
    let members: Vec<usize> = (0..all.len()).collect();
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(gap(&all, &vectors, &members).unwrap().asked));
    let patience = std::time::Duration::from_secs(10);
    assert_eq!(ended.recv_timeout(patience), Ok(2_000));
}
