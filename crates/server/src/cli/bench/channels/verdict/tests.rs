use super::*;
use quipu_core::{ConnectionId, ContactId, ConversationId, OutboundId, Timestamp};
use serde_json::json;

/// A conversation in which customers and the agent take turns, and what was sent of it.
#[derive(Default)]
struct Written {
    messages: Vec<Message>,
    outbound: Vec<OutboundRecord>,
    arrivals: HashMap<String, Arrival>,
    arrived: usize,
    ids: Vec<String>,
}

fn at(second: usize) -> Timestamp {
    Timestamp::from_second(i64::try_from(second).unwrap()).unwrap()
}

impl Written {
    fn add(&mut self, role: MessageRole, metadata: serde_json::Value) -> MessageId {
        let at = at(self.messages.len());
        let id = MessageId::generate(at);
        self.messages.push(Message {
            id,
            conversation_id: ConversationId::generate(at),
            role,
            author: String::new(),
            text: String::new(),
            metadata,
            created_at: at,
        });
        id
    }

    fn asks(&mut self, id: &str) {
        self.ids.push(id.to_owned());
        let metadata = json!({ "channel_message_id": id });
        self.add(MessageRole::User, metadata);
    }

    /// Answers, which is handed to the channel some time and arrives so often.
    fn answers(&mut self, times: usize) -> String {
        let message = self.add(MessageRole::Assistant, json!({}));
        let at = at(self.messages.len());
        let id = OutboundId::generate(at);
        self.outbound.push(OutboundRecord {
            id,
            connection_id: ConnectionId::generate(at),
            contact_id: ContactId::generate(at),
            conversation_id: None,
            message_id: Some(message),
            content: json!({}),
            by_person: false,
            state: DeliveryState::Delivered,
            attempts: 1,
            send_after: at,
            started_at: None,
            external_id: None,
            fault: None,
            category: None,
            cost_micros: None,
            created_at: at,
            updated_at: at,
        });
        let first = self.arrived;
        self.arrived += times;
        if times > 0 {
            self.arrivals
                .insert(id.to_string(), Arrival { times, first });
        }
        id.to_string()
    }

    fn judged(self) -> Verdict {
        let mut tally = Tally::new(self.arrivals, self.outbound);
        tally.count(&self.messages);
        tally.finish(&self.ids, 0)
    }
}

#[test]
fn what_is_written_together_is_answered_by_one_answer() {
    let mut written = Written::default();
    written.asks("a");
    written.answers(1);
    written.asks("b");
    written.asks("c");
    written.answers(1);
    let verdict = written.judged();
    assert!(verdict.is_right(), "{verdict:?}");
    assert_eq!((verdict.messages, verdict.answers), (3, 2));
}

#[test]
fn an_answer_that_never_came_or_came_twice_is_found() {
    let mut written = Written::default();
    written.asks("a");
    written.answers(0);
    written.asks("b");
    written.answers(2);
    written.asks("c");
    written.answers(1);
    written.answers(1);
    written.asks("d");
    let verdict = written.judged();
    assert!(!verdict.is_right());
    let counts = (
        verdict.answered_never,
        verdict.answered_once,
        verdict.answered_more,
    );
    assert_eq!(counts, (2, 0, 2), "{verdict:?}");
}

#[test]
fn what_is_not_stored_once_is_found() {
    let mut written = Written::default();
    written.asks("a");
    written.asks("a");
    written.answers(1);
    written.asks("strange");
    written.answers(1);
    written.ids = vec!["a".to_owned(), "lost".to_owned()];
    let verdict = written.judged();
    assert!(!verdict.is_right());
    let stored = (verdict.stored_never, verdict.stored_more, verdict.strange);
    assert_eq!(stored, (1, 1, 1), "{verdict:?}");
    assert_eq!(verdict.answered_never, 1);
}

#[test]
fn answers_that_overtake_each_other_are_found() {
    let mut written = Written::default();
    written.asks("a");
    let first = written.answers(1);
    written.asks("b");
    written.answers(1);
    written.arrivals.get_mut(&first).unwrap().first = 7;
    let verdict = written.judged();
    assert_eq!(verdict.out_of_order, 1);
    assert!(!verdict.is_right());
}

#[test]
fn what_nobody_sent_is_found() {
    let mut written = Written::default();
    written.asks("a");
    written.answers(1);
    let arrival = Arrival { times: 1, first: 9 };
    written.arrivals.insert("stranger".to_owned(), arrival);
    assert_eq!(written.judged().unknown, 1);
}
