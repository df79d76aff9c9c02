//! What opens a door, and when it stops doing so.

use crate::fixture::key;
use crate::support::{HOUR, House, SECOND, code, new_user};
use futures::future::join_all;
use quipu_core::{ErrorCode, SessionId, Timestamp, UserId};
use quipu_store::platform::{NewSession, SignInState};
use quipu_store::tenant::NewApiKey;
use quipu_testkit::db_test;
use std::time::Duration;

impl House {
    async fn sign_in(&self, user: UserId, token: &str, expires_at: Timestamp) -> SessionId {
        let tx = self.platform().await;
        let new = NewSession {
            user,
            token_hash: token.to_owned(),
            user_agent: None,
            expires_at,
        };
        let id = tx.sessions().insert(&new).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    async fn is_live(&self, token: &str) -> bool {
        let tx = self.store.platform_read().await.unwrap();
        tx.sessions().find_live(token).await.unwrap().is_some()
    }

    async fn send_reset(&self, user: UserId, token: &str) {
        let tx = self.platform().await;
        tx.password_resets()
            .insert(user, token, self.later(HOUR))
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    async fn redeem(&self, token: &str) -> Option<UserId> {
        let tx = self.platform().await;
        let user = tx.password_resets().redeem(token).await.unwrap();
        tx.commit().await.unwrap();
        user
    }

    async fn opens(&self, key_hash: &str) -> bool {
        let tx = self.store.platform_read().await.unwrap();
        tx.credentials()
            .find_live_key(key_hash)
            .await
            .unwrap()
            .is_some()
    }
}

db_test! {
    // Whole seconds and fractions, because SQLite compares times as text.
    async fn a_session_ends_with_its_time(db) {
        const AFTER: [u64; 6] = [1, 1000, 500_000, 999_999, 1_000_000, 1_500_000];
        let house = House::new(&db).await;
        let user = house.add_user("ana@example.com").await;
        let start = house.now();
        for after in AFTER {
            let expires_at = start + Duration::from_micros(after);
            house.sign_in(user, &after.to_string(), expires_at).await;
        }
        let mut now = 0;
        for turn_to in AFTER {
            house.clock.advance(Duration::from_micros(turn_to - now));
            now = turn_to;
            for after in AFTER {
                let live = house.is_live(&after.to_string()).await;
                assert_eq!(live, after > now, "a session of {after} µs after {now} µs");
            }
        }
    }

    async fn a_token_tells_whose_it_is(db) {
        let house = House::new(&db).await;
        let user = house.add_user("ana@example.com").await;
        let id = house.sign_in(user, "token", house.later(HOUR)).await;
        let tx = house.platform().await;
        let holder = tx.sessions().find_live("token").await.unwrap().unwrap();
        assert_eq!((holder.session, holder.user.id), (id, user));
        assert!(tx.sessions().find_live("other").await.unwrap().is_none());
    }

    async fn all_sessions_end_but_the_one_in_use(db) {
        let house = House::new(&db).await;
        let ana = house.add_user("ana@example.com").await;
        let ben = house.add_user("ben@example.com").await;
        let kept = house.sign_in(ana, "kept", house.later(HOUR)).await;
        let other = house.sign_in(ana, "other", house.later(HOUR)).await;
        let bens = house.sign_in(ben, "ben", house.later(HOUR)).await;
        let tx = house.platform().await;
        assert!(!tx.sessions().delete(ana, bens).await.unwrap(), "it is not Ana's to end");
        let listed = tx.sessions().of_user(ana, kept).await.unwrap();
        let current: Vec<_> = listed.iter().filter(|s| s.current).map(|s| s.id).collect();
        assert_eq!((listed.len(), current), (2, vec![kept]));
        tx.sessions().delete_all(ana, Some(kept)).await.unwrap();
        tx.commit().await.unwrap();
        assert!(house.is_live("kept").await && house.is_live("ben").await);
        assert!(!house.is_live("other").await);
        let tx = house.platform().await;
        assert!(!tx.sessions().delete(ana, other).await.unwrap(), "it has ended");
        tx.sessions().delete_all(ana, None).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!house.is_live("kept").await && house.is_live("ben").await);
    }

    async fn a_reset_token_works_once(db) {
        let house = House::new(&db).await;
        let user = house.add_user("ana@example.com").await;
        house.send_reset(user, "token").await;
        assert_eq!(house.redeem("other").await, None);
        assert_eq!(house.redeem("token").await, Some(user));
        assert_eq!(house.redeem("token").await, None);
    }

    async fn a_reset_token_expires(db) {
        let house = House::new(&db).await;
        let user = house.add_user("ana@example.com").await;
        house.send_reset(user, "token").await;
        house.clock.advance(HOUR);
        assert_eq!(house.redeem("token").await, None);
    }

    async fn a_newer_reset_token_ends_the_older(db) {
        let house = House::new(&db).await;
        let ana = house.add_user("ana@example.com").await;
        let ben = house.add_user("ben@example.com").await;
        house.send_reset(ben, "ben").await;
        house.send_reset(ana, "old").await;
        house.send_reset(ana, "new").await;
        assert_eq!(house.redeem("old").await, None);
        assert_eq!(house.redeem("new").await, Some(ana));
        assert_eq!(house.redeem("ben").await, Some(ben));
    }

    async fn a_reset_token_redeemed_at_once_works_once(db) {
        let house = House::new(&db).await;
        let user = house.add_user("ana@example.com").await;
        house.send_reset(user, "token").await;
        let redeemed = join_all((0..8).map(|_| house.redeem("token"))).await;
        let used: Vec<_> = redeemed.into_iter().flatten().collect();
        assert_eq!(used, [user]);
    }

    async fn failures_are_counted_and_forgotten(db) {
        let house = House::new(&db).await;
        let first = SignInState {
            failures: 1,
            first_failed_at: house.now(),
            locked_until: None,
        };
        let locked = SignInState { failures: 5, locked_until: Some(house.later(HOUR)), ..first };
        let tx = house.platform().await;
        assert_eq!(tx.sign_in_failures().find("hash").await.unwrap(), None);
        for state in [first, locked, first] {
            tx.sign_in_failures().put("hash", state).await.unwrap();
            assert_eq!(tx.sign_in_failures().find("hash").await.unwrap(), Some(state));
        }
        tx.sign_in_failures().put("other", locked).await.unwrap();
        tx.sign_in_failures().clear("hash").await.unwrap();
        assert_eq!(tx.sign_in_failures().find("hash").await.unwrap(), None);
        assert_eq!(tx.sign_in_failures().find("other").await.unwrap(), Some(locked));
    }

    async fn a_key_opens_its_tenant_until_it_is_revoked_or_expires(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let user = house.add_user("ana@example.com").await;
        let tx = house.begin(scope).await;
        let named = |hash: &str| NewApiKey { key_hash: hash.to_owned(), ..key("a", user) };
        let kept = tx.api_keys().insert(&named("kept")).await.unwrap();
        let lost = tx.api_keys().insert(&named("lost")).await.unwrap();
        let brief = NewApiKey { expires_at: Some(house.later(SECOND)), ..named("brief") };
        tx.api_keys().insert(&brief).await.unwrap();
        tx.commit().await.unwrap();
        for hash in ["kept", "lost", "brief"] {
            assert!(house.opens(hash).await, "{hash}");
        }

        let tx = house.begin(scope).await;
        assert!(tx.api_keys().revoke(lost.id).await.unwrap().is_some());
        tx.commit().await.unwrap();
        let revoked_at = house.now();
        house.clock.advance(SECOND);
        assert!(!house.opens("lost").await && !house.opens("brief").await);

        let tx = house.begin(scope).await;
        assert!(tx.api_keys().revoke(lost.id).await.unwrap().is_some(), "revoking twice is no error");
        let lost = tx.api_keys().find(lost.id).await.unwrap().unwrap();
        assert_eq!(lost.revoked_at, Some(revoked_at), "it was revoked the first time");
        drop(tx);

        let tx = house.platform().await;
        let holder = tx.credentials().find_live_key("kept").await.unwrap().unwrap();
        assert_eq!((holder.tenant, holder.key.id), (scope.tenant_id(), kept.id));
        assert_eq!(holder.key.scopes, kept.scopes);
        tx.credentials().touch_key(kept.id, house.now()).await.unwrap();
        let holder = tx.credentials().find_live_key("kept").await.unwrap().unwrap();
        assert_eq!(holder.key.last_used_at, Some(house.now()));
    }

    async fn an_address_is_one_persons(db) {
        let house = House::new(&db).await;
        house.add_user("ana@example.com").await;
        let tx = house.platform().await;
        let again = tx.users().insert(&new_user("ana@example.com")).await;
        assert_eq!(code(again), ErrorCode::AlreadyExists);
    }
}
