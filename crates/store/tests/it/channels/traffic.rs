//! What comes in, and how far what goes out has come.

use super::{Line, connect, meet, talk};
use crate::fixture_channels::{fault, new_inbound, new_outbound, send, taken};
use crate::support::{HOUR, SECOND, code};
use quipu_core::channel::DeliveryState::{Delivered, Failed, Read, Sending, Sent, Waiting};
use quipu_core::channel::{
    ChannelCost, DeliveryState, InboundState, NewInbound, NewOutbound, SendResult,
};
use quipu_core::{ErrorCode, MessageId, OutboundId};
use quipu_store::TenantTx;
use quipu_store::tenant::OutboundFilter;
use quipu_testkit::db_test;

async fn state_of(tx: &TenantTx, id: OutboundId) -> DeliveryState {
    tx.channel_outbound().find(id).await.unwrap().unwrap().state
}

db_test! {
    async fn a_delivery_is_noted_once(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let second = connect(&tx, "second").await;
        let inbound = tx.channel_inbound();
        assert!(inbound.mark(line.connection, "one").await.unwrap());
        assert!(!inbound.mark(line.connection, "one").await.unwrap());
        assert!(inbound.mark(second, "one").await.unwrap());
        tx.commit().await.unwrap();
        line.house.clock.advance(HOUR);
        let tx = line.begin().await;
        assert!(!tx.channel_inbound().mark(line.connection, "one").await.unwrap());
        assert!(tx.channel_inbound().mark(line.connection, "two").await.unwrap());
        tx.commit().await.unwrap();

        // Nobody delivers the older ones again.
        let tx = line.house.platform().await;
        let before = line.house.now();
        assert_eq!(tx.channel_doors().forget_marks(before).await.unwrap(), 2);
        assert_eq!(tx.channel_doors().forget_marks(before).await.unwrap(), 0);
        tx.commit().await.unwrap();
        let tx = line.begin().await;
        assert!(tx.channel_inbound().mark(line.connection, "one").await.unwrap());
        assert!(!tx.channel_inbound().mark(line.connection, "two").await.unwrap());
    }

    async fn what_waits_comes_in_the_order_in_which_it_was_said(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let (inbound, contact) = (tx.channel_inbound(), line.contact);
        let (_, other) = meet(&tx, line.connection, "second").await;
        let mut ids = Vec::new();
        for (name, seconds) in [("c", 3), ("a", 1), ("b", 2), ("b again", 2)] {
            let new = line.inbound(name, tx.now() + SECOND * seconds);
            ids.push(inbound.insert(&new).await.unwrap());
        }
        let noted = NewInbound { state: InboundState::Noted, ..line.inbound("noted", tx.now()) };
        inbound.insert(&noted).await.unwrap();
        let theirs = new_inbound(line.connection, other, "theirs", tx.now());
        inbound.insert(&theirs).await.unwrap();
        let names = async |most| {
            let found = inbound.waiting(contact, most).await.unwrap();
            found.into_iter().map(|one| one.external_id).collect::<Vec<_>>()
        };
        assert_eq!(names(10).await, ["a", "b", "b again", "c"]);
        assert_eq!(names(2).await, ["a", "b"]);
        assert_eq!(inbound.count_waiting(contact).await.unwrap(), 4);

        let message = MessageId::generate(tx.now());
        assert!(inbound.set_message(ids[1], message).await.unwrap());
        assert_eq!(inbound.waiting(contact, 1).await.unwrap()[0].message_id, Some(message));
        assert_eq!(inbound.message_of(line.connection, "a").await.unwrap(), Some(message));
        assert_eq!(inbound.message_of(line.connection, "b").await.unwrap(), None);
        assert_eq!(inbound.settle(&ids[1..3], InboundState::Answered).await.unwrap(), 2);
        // Whatever has its end keeps it.
        assert_eq!(inbound.settle(&ids[..3], InboundState::Left).await.unwrap(), 1);
        assert_eq!(inbound.settle(&[], InboundState::Left).await.unwrap(), 0);
        assert_eq!(names(10).await, ["b again"]);
        assert_eq!(inbound.count_waiting(other).await.unwrap(), 1);
        let twin = inbound.insert(&line.inbound("a", tx.now())).await;
        assert_eq!(code(twin), ErrorCode::Internal);
    }

    async fn the_oldest_that_is_open_goes_out_next(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let outbound = tx.channel_outbound();
        let first = outbound.insert(&line.outbound("first")).await.unwrap();
        let second = outbound.insert(&line.outbound("second")).await.unwrap();
        let (_, other) = meet(&tx, line.connection, "second").await;
        let next = async || outbound.next(line.contact).await.unwrap();
        let found = next().await.unwrap();
        assert_eq!((found.id, found.state, found.attempts), (first, Waiting, 0));
        assert_eq!((found.send_after, found.started_at), (tx.now(), None));
        assert!(outbound.start(first).await.unwrap());
        let found = next().await.unwrap();
        assert_eq!((found.id, found.state, found.attempts), (first, Sending, 1));
        assert_eq!(found.started_at, Some(tx.now()));
        // Another attempt is made before anything else goes out.
        let again = SendResult::Again { at: tx.now() + HOUR, fault: fault("busy") };
        assert!(outbound.settle(first, &again).await.unwrap());
        let found = next().await.unwrap();
        assert_eq!((found.id, found.state, found.send_after), (first, Waiting, tx.now() + HOUR));
        assert_eq!(found.fault, Some(fault("busy")));
        assert!(outbound.start(first).await.unwrap());
        assert_eq!(next().await.unwrap().attempts, 2);
        assert!(outbound.settle(first, &taken("one")).await.unwrap());
        let found = outbound.find(first).await.unwrap().unwrap();
        assert_eq!((found.state, found.fault, found.external_id.as_deref()), (Sent, None, Some("one")));

        assert_eq!(next().await.unwrap().id, second);
        assert!(!outbound.start(first).await.unwrap());
        assert!(outbound.settle(second, &SendResult::Failed(fault("account"))).await.unwrap());
        assert_eq!(state_of(&tx, second).await, Failed);
        assert!(!outbound.settle(second, &again).await.unwrap());
        assert_eq!(next().await, None);
        assert_eq!(outbound.next(other).await.unwrap(), None);
    }

    async fn no_message_goes_back(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let outbound = tx.channel_outbound();
        for before in DeliveryState::ALL {
            for after in DeliveryState::ALL {
                let what = format!("{before:?}, then {after:?}");
                let id = outbound.insert(&line.outbound(&what)).await.unwrap();
                outbound.advance(id, None, *before, None).await.unwrap();
                assert_eq!(state_of(&tx, id).await, *before, "{what}");
                let (told, further) = (fault(&what), after.rank() > before.rank());
                let moved = outbound.advance(id, Some(&what), *after, Some(&told)).await.unwrap();
                assert_eq!(moved, further, "{what}");
                let found = outbound.find(id).await.unwrap().unwrap();
                assert_eq!(found.state, if further { *after } else { *before }, "{what}");
                assert_eq!(found.fault, further.then_some(told), "{what}");
                let known = outbound.known_as(line.connection, &what).await.unwrap();
                assert_eq!(known.map(|one| one.id), further.then_some(id), "{what}");
            }
        }
        // What the channel tells late, and what it takes back.
        for (before, after, left) in [
            (Read, Delivered, Read),
            (Delivered, Sent, Delivered),
            (Failed, Sent, Failed),
            (Failed, Delivered, Delivered),
        ] {
            let id = outbound.insert(&line.outbound("x")).await.unwrap();
            for state in [before, after] {
                outbound.advance(id, None, state, None).await.unwrap();
            }
            assert_eq!(state_of(&tx, id).await, left);
        }
    }

    // Whoever sends is told the id after somebody else was told what became of it.
    async fn a_state_that_comes_before_the_answer_stays(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let outbound = tx.channel_outbound();
        for (state, told) in [(Delivered, None), (Read, None), (Failed, Some(fault("unreachable")))] {
            let id = outbound.insert(&line.outbound("x")).await.unwrap();
            assert!(outbound.start(id).await.unwrap());
            assert!(outbound.advance(id, None, state, told.as_ref()).await.unwrap());
            let name = state.as_str();
            assert!(!outbound.settle(id, &taken(name)).await.unwrap());
            let found = outbound.known_as(line.connection, name).await.unwrap().unwrap();
            assert_eq!((found.id, found.state, found.fault), (id, state, told));
            let late = SendResult::Again { at: tx.now(), fault: fault("busy") };
            for result in [late, SendResult::Failed(fault("busy"))] {
                assert!(!outbound.settle(id, &result).await.unwrap());
            }
            assert_eq!(state_of(&tx, id).await, state);
        }
    }

    async fn whoever_reads_one_has_read_those_before_it(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let (_, other) = meet(&tx, line.connection, "second").await;
        let theirs = send(&tx, &new_outbound(line.connection, other, "x"), "theirs").await;
        let outbound = tx.channel_outbound();
        let waits = outbound.insert(&line.outbound("waits")).await.unwrap();
        let failed = outbound.insert(&line.outbound("failed")).await.unwrap();
        assert!(outbound.start(failed).await.unwrap());
        assert!(outbound.settle(failed, &SendResult::Failed(fault("account"))).await.unwrap());
        tx.commit().await.unwrap();
        let (mut sent, mut at) = (Vec::new(), Vec::new());
        for name in ["one", "two", "three"] {
            let tx = line.begin().await;
            sent.push(send(&tx, &line.outbound(name), name).await);
            at.push(tx.now());
            tx.commit().await.unwrap();
            line.house.clock.advance(SECOND);
        }

        let tx = line.begin().await;
        let up_to = async |at, state| {
            let outbound = tx.channel_outbound();
            outbound.advance_up_to(line.contact, at, state).await.unwrap()
        };
        assert_eq!(up_to(at[1], Delivered).await, 2);
        assert_eq!(up_to(at[1], Delivered).await, 0);
        assert_eq!(up_to(at[1], Read).await, 2);
        assert_eq!(up_to(at[2], Delivered).await, 1);
        let expected = [
            (sent[0], Read),
            (sent[1], Read),
            (sent[2], Delivered),
            (waits, Waiting),
            (failed, Failed),
            (theirs, Sent),
        ];
        for (id, state) in expected {
            assert_eq!(state_of(&tx, id).await, state);
        }
    }

    async fn what_messages_cost_is_added_up(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let outbound = tx.channel_outbound();
        let (start, second) = (tx.now(), connect(&tx, "second").await);
        let conversation = Some(talk(&tx, line.lead, line.contact).await);
        for (name, charged) in [
            ("first", Some(("utility", Some(1_500)))),
            ("free", Some(("service", Some(0)))),
            ("no rate", Some(("marketing", None))),
            ("not told", None),
        ] {
            let id = send(&tx, &line.outbound(name), name).await;
            if let Some((category, micros)) = charged {
                assert!(outbound.charge(id, category, micros).await.unwrap());
            }
        }
        let within = NewOutbound { conversation, ..line.outbound("within") };
        let id = send(&tx, &within, "within").await;
        assert!(outbound.charge(id, "utility", Some(2_500)).await.unwrap());
        // The channel never took this one.
        let id = outbound.insert(&line.outbound("failed")).await.unwrap();
        assert!(outbound.start(id).await.unwrap());
        assert!(outbound.settle(id, &SendResult::Failed(fault("account"))).await.unwrap());
        tx.commit().await.unwrap();
        line.house.clock.advance(HOUR);
        let tx = line.begin().await;
        let end = tx.now();
        let id = send(&tx, &line.outbound("later"), "later").await;
        assert!(tx.channel_outbound().charge(id, "utility", Some(10_000)).await.unwrap());

        let cost = async |filter, from, to| tx.channel_outbound().cost(filter, from, to).await.unwrap();
        let all = OutboundFilter::default();
        let expected = ChannelCost { messages: 5, charged: 3, unknown: 1, cost_micros: 4_000 };
        assert_eq!(cost(all, start, end).await, expected);
        let connection = Some(line.connection);
        assert_eq!(cost(OutboundFilter { connection, ..all }, start, end).await, expected);
        let expected = ChannelCost { messages: 1, charged: 1, unknown: 0, cost_micros: 2_500 };
        assert_eq!(cost(OutboundFilter { conversation, ..all }, start, end).await, expected);
        let expected = ChannelCost { messages: 1, charged: 1, unknown: 0, cost_micros: 10_000 };
        assert_eq!(cost(all, end, end + HOUR).await, expected);
        let connection = Some(second);
        let nothing = cost(OutboundFilter { connection, ..all }, start, end).await;
        assert_eq!(nothing, ChannelCost::default());
    }
}
