//! Connections, who writes to them, and what is left of both.

mod traffic;

use crate::fixture::new_agent;
use crate::fixture_channels::{identity, new_connection, new_inbound, new_outbound, send};
use crate::fixture_customers::new_message;
use crate::schema::{Schema, Snapshot};
use crate::support::{HOUR, House, SECOND, code};
use quipu_core::channel::{
    ConnectionChange, ConnectionFault, ContactIdentity, NewConnection, NewInbound, NewOutbound,
};
use quipu_core::conversation::NewConversation;
use quipu_core::lead::{Channel, NewLead};
use quipu_core::removal::RowCounts;
use quipu_core::tenancy::TenantScope;
use quipu_core::{ConnectionId, ContactId, ConversationId, ErrorCode, LeadId, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::Target;
use quipu_testkit::{TestDatabase, db_test};

/// A connection called `first`, and somebody called the same who writes to it.
struct Line {
    house: House,
    scope: TenantScope,
    connection: ConnectionId,
    lead: LeadId,
    contact: ContactId,
}

impl Line {
    async fn new(db: &TestDatabase) -> Self {
        let house = House::new(db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let connection = connect(&tx, "first").await;
        let (lead, contact) = meet(&tx, connection, "first").await;
        tx.commit().await.unwrap();
        Self {
            house,
            scope,
            connection,
            lead,
            contact,
        }
    }

    async fn begin(&self) -> TenantTx {
        self.house.begin(self.scope).await
    }

    fn inbound(&self, external_id: &str, said_at: Timestamp) -> NewInbound {
        new_inbound(self.connection, self.contact, external_id, said_at)
    }

    fn outbound(&self, text: &str) -> NewOutbound {
        new_outbound(self.connection, self.contact, text)
    }

    /// How many rows there are of each thing that channels have.
    async fn rows(&self, db: &TestDatabase) -> [usize; 6] {
        let snapshot = Schema::of(db).await.snapshot(self.scope.tenant_id()).await;
        CHANNELS.map(|table| rows(&snapshot, table))
    }
}

const CHANNELS: [&str; 6] = [
    "channel_connections",
    "channel_contacts",
    "channel_talks",
    "channel_inbound",
    "channel_outbound",
    "channel_marks",
];

fn rows(snapshot: &Snapshot, table: &str) -> usize {
    snapshot[table].len()
}

async fn connect(tx: &TenantTx, account: &str) -> ConnectionId {
    let new = new_connection(tx.now(), account.to_owned());
    tx.channel_connections().insert(&new).await.unwrap()
}

/// Somebody who writes to a connection for the first time.
async fn meet(tx: &TenantTx, connection: ConnectionId, name: &str) -> (LeadId, ContactId) {
    let lead = tx.leads().insert(&NewLead::default()).await.unwrap();
    let contacts = tx.channel_contacts();
    let contact = contacts.insert(connection, lead, &identity(name)).await;
    (lead, contact.unwrap().unwrap())
}

async fn talk(tx: &TenantTx, lead: LeadId, contact: ContactId) -> ConversationId {
    let new = NewConversation {
        lead_id: lead,
        agent_id: None,
        channel: Channel::Whatsapp,
    };
    let id = tx.conversations().insert(&new).await.unwrap();
    let contacts = tx.channel_contacts();
    contacts.hold_conversation(contact, id).await.unwrap();
    id
}

db_test! {
    async fn an_account_is_connected_once(db) {
        let line = Line::new(&db).await;
        let others = line.house.add_tenant("b").await;
        let tx = line.begin().await;
        let twin = new_connection(tx.now(), "first".to_owned());
        let refused = tx.channel_connections().insert(&twin).await;
        assert_eq!(code(refused), ErrorCode::AlreadyExists);
        // The transaction goes on, and another channel may call something the same.
        let elsewhere = NewConnection { channel: Channel::Instagram, ..twin.clone() };
        tx.channel_connections().insert(&elsewhere).await.unwrap();
        let found = tx.channel_connections().find(twin.id).await.unwrap().unwrap();
        assert_eq!((found.channel, found.settings), (Channel::Instagram, twin.settings.clone()));
        tx.commit().await.unwrap();
        let tx = line.house.begin(others).await;
        connect(&tx, "first").await;
        tx.commit().await.unwrap();
    }

    async fn a_door_tells_whose_it_is_and_when_it_changed(db) {
        let line = Line::new(&db).await;
        let (tenant, made) = (line.scope.tenant_id(), line.house.now());
        let door = async |id: ConnectionId| {
            let tx = line.house.store.platform_read().await.unwrap();
            tx.channel_doors().tenant_of(id).await.unwrap()
        };
        line.house.clock.advance(SECOND);
        // What comes and goes through it changes nothing of it.
        let tx = line.begin().await;
        assert!(tx.channel_connections().received(line.connection).await.unwrap());
        assert!(tx.channel_connections().sent(line.connection).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(door(line.connection).await, Some((tenant, made)));
        let tx = line.begin().await;
        let change = ConnectionChange { name: Some("Ventas".to_owned()), ..ConnectionChange::default() };
        assert!(tx.channel_connections().update(line.connection, &change).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(door(line.connection).await, Some((tenant, line.house.now())));
        assert_eq!(door(ConnectionId::generate(made)).await, None);
    }

    async fn a_fault_has_begun_when_it_began(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let connections = tx.channel_connections();
        let (first, later) = (tx.now(), tx.now() + HOUR);
        let set = async |fault| connections.set_fault(line.connection, fault).await.unwrap();
        let found = async || connections.find(line.connection).await.unwrap().unwrap();
        assert_eq!(found().await.fault, None);
        assert!(set(Some((Some(190), first))).await);
        assert!(!set(Some((None, later))).await);
        let expected = ConnectionFault { code: Some(190), since: first };
        assert_eq!(found().await.fault, Some(expected));
        assert!(set(None).await);
        assert!(!set(None).await);
        assert!(set(Some((None, later))).await);
        assert_eq!(found().await.fault, Some(ConnectionFault { code: None, since: later }));
        // What is sent shows that nothing is wrong.
        assert!(connections.sent(line.connection).await.unwrap());
        let after = found().await;
        assert_eq!((after.fault, after.last_sent_at), (None, Some(first)));
    }

    async fn somebody_is_known_by_their_id_before_their_number(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let contacts = tx.channel_contacts();
        let second = connect(&tx, "second").await;
        let by_id = ContactIdentity { user_id: Some("id".to_owned()), ..ContactIdentity::default() };
        let by_number = ContactIdentity { phone: Some("51987".to_owned()), ..ContactIdentity::default() };
        let both = ContactIdentity { phone: by_number.phone.clone(), ..by_id.clone() };
        let newer = ContactIdentity { user_id: Some("new".to_owned()), ..by_number.clone() };
        let add = async |identity: &ContactIdentity| {
            contacts.insert(line.connection, line.lead, identity).await.unwrap()
        };
        let known = async |identity: &ContactIdentity| {
            let found = contacts.known(line.connection, identity).await.unwrap();
            found.map(|contact| contact.id)
        };
        let (one, other) = (add(&by_id).await, add(&by_number).await);
        assert!(one.is_some() && other.is_some() && one != other);
        assert_eq!(known(&both).await, one);
        assert_eq!(known(&newer).await, other);
        assert_eq!(known(&ContactIdentity::default()).await, None);
        for twin in [&by_id, &by_number, &both, &newer] {
            assert_eq!(add(twin).await, None);
        }
        // Each connection knows its own.
        assert_eq!(contacts.known(second, &both).await.unwrap(), None);
        assert!(contacts.insert(second, line.lead, &both).await.unwrap().is_some());
        // A new id is learned, and the number stays.
        let learned = ContactIdentity { user_id: newer.user_id.clone(), ..ContactIdentity::default() };
        assert!(contacts.learn(other.unwrap(), &learned).await.unwrap());
        assert_eq!(known(&learned).await, other);
        assert_eq!(known(&by_number).await, other);
        tx.commit().await.unwrap();
        let tx = line.begin().await;
        let taken = tx.channel_contacts().learn(one.unwrap(), &by_number).await;
        assert_eq!(code(taken), ErrorCode::Internal);
        drop(tx);
        let tx = line.begin().await;
        let nobody = ContactIdentity::default();
        let unknown = tx.channel_contacts().insert(line.connection, line.lead, &nobody).await;
        assert_eq!(code(unknown), ErrorCode::Internal);
    }

    async fn somebody_was_heard_last_when_they_wrote_last(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let contacts = tx.channel_contacts();
        let at = |hours: u32| tx.now() + HOUR * hours;
        let heard = async |hours, until| contacts.heard(line.contact, at(hours), until).await.unwrap();
        let found = async || {
            let contact = contacts.find(line.contact).await.unwrap().unwrap();
            (contact.last_inbound_at, contact.free_until)
        };
        assert_eq!(found().await, (None, None));
        assert!(heard(2, Some(at(74))).await);
        // Deliveries come in any order, and more than once.
        assert!(!heard(1, Some(at(73))).await);
        assert!(!heard(2, None).await);
        assert_eq!(found().await, (Some(at(2)), Some(at(74))));
        assert!(heard(3, None).await);
        assert_eq!(found().await, (Some(at(3)), Some(at(74))));
        for since in [Some(at(4)), None] {
            assert!(contacts.opt_out(line.contact, since).await.unwrap());
            assert_eq!(contacts.find(line.contact).await.unwrap().unwrap().opted_out_at, since);
        }
    }

    async fn a_conversation_is_held_with_one(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let contacts = tx.channel_contacts();
        assert_eq!(contacts.latest_conversation(line.contact).await.unwrap(), None);
        let first = talk(&tx, line.lead, line.contact).await;
        let second = talk(&tx, line.lead, line.contact).await;
        let (lead, other) = meet(&tx, line.connection, "second").await;
        let theirs = talk(&tx, lead, other).await;
        for (conversation, contact) in [(first, line.contact), (second, line.contact), (theirs, other)] {
            let with = contacts.of_conversation(conversation).await.unwrap().unwrap();
            assert_eq!(with.id, contact);
        }
        assert_eq!(contacts.latest_conversation(line.contact).await.unwrap(), Some(second));
        assert_eq!(contacts.latest_conversation(other).await.unwrap(), Some(theirs));
        assert_eq!(code(contacts.hold_conversation(other, first).await), ErrorCode::Internal);
    }

    async fn a_lead_goes_with_what_channels_have_of_them(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        talk(&tx, line.lead, line.contact).await;
        let (stays, other) = meet(&tx, line.connection, "second").await;
        talk(&tx, stays, other).await;
        for (contact, name) in [(line.contact, "one"), (other, "two")] {
            let inbound = tx.channel_inbound();
            let new = new_inbound(line.connection, contact, name, tx.now());
            inbound.insert(&new).await.unwrap();
            assert!(inbound.mark(line.connection, name).await.unwrap());
            let new = new_outbound(line.connection, contact, name);
            send(&tx, &new, name).await;
            tx.channel_outbound().insert(&new).await.unwrap();
        }
        tx.commit().await.unwrap();
        assert_eq!(line.rows(&db).await, [1, 2, 2, 2, 4, 2]);
        let tx = line.begin().await;
        let target = Target::Lead(line.lead);
        let counted = RowCounts {
            leads: 1,
            conversations: 1,
            channel_contacts: 1,
            channel_messages: 3,
            ..RowCounts::default()
        };
        assert_eq!(tx.removal().count(&target).await.unwrap(), counted);
        assert!(tx.leads().delete(line.lead).await.unwrap());
        assert_eq!(tx.removal().count(&target).await.unwrap(), RowCounts::default());
        assert_eq!(tx.removal().count(&Target::Lead(stays)).await.unwrap(), counted);
        // A delivery that comes again is known, though nothing is left of what it said.
        assert!(!tx.channel_inbound().mark(line.connection, "one").await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(line.rows(&db).await, [1, 1, 1, 1, 2, 2]);
    }

    async fn a_connection_goes_and_what_was_said_stays(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let conversation = talk(&tx, line.lead, line.contact).await;
        tx.messages().insert(conversation, &new_message("Hola.")).await.unwrap();
        tx.channel_inbound().insert(&line.inbound("one", tx.now())).await.unwrap();
        assert!(tx.channel_inbound().mark(line.connection, "one").await.unwrap());
        let there = NewOutbound { conversation: Some(conversation), ..line.outbound("x") };
        send(&tx, &there, "two").await;
        assert!(tx.channel_connections().delete(line.connection).await.unwrap());
        assert!(!tx.channel_connections().delete(line.connection).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(line.rows(&db).await, [0; 6]);
        let left = Schema::of(&db).await.snapshot(line.scope.tenant_id()).await;
        for table in ["leads", "conversations", "messages"] {
            assert_eq!(rows(&left, table), 1, "{table}");
        }
    }

    async fn an_agent_goes_after_connections_have_forgotten_it(db) {
        let line = Line::new(&db).await;
        let tx = line.begin().await;
        let agent = tx.agents().insert(&new_agent("maya")).await.unwrap();
        let change = ConnectionChange { agent_id: Some(Some(agent)), ..ConnectionChange::default() };
        assert!(tx.channel_connections().update(line.connection, &change).await.unwrap());
        tx.commit().await.unwrap();
        let tx = line.begin().await;
        assert_eq!(code(tx.agents().delete(agent).await), ErrorCode::Internal);
        drop(tx);
        let tx = line.begin().await;
        assert_eq!(tx.channel_connections().forget_agent(agent).await.unwrap(), 1);
        assert!(tx.agents().delete(agent).await.unwrap());
        let found = tx.channel_connections().find(line.connection).await.unwrap().unwrap();
        assert_eq!(found.agent_id, None);
        drop(tx);
        // The tenant goes with both of them.
        let tx = line.house.platform().await;
        assert!(tx.tenants().delete(line.scope.tenant_id()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(line.rows(&db).await, [0; 6]);
    }
}
