use crate::fixture::{UNLIMITED, job, add_kb, shared_kb};
use crate::material::*;
use crate::support::*;
use quipu_testkit::db_test;
use std::time::Instant;
db_test! {
    #[ignore]
    async fn claims(db) {
        let house = House::new(&db).await;
        let a = house.add_tenant("a").await;
        let b = house.add_tenant("b").await;
        let t = Instant::now();
        let tx = house.begin(a).await;
        for _ in 0..10_000 { tx.jobs().enqueue(&job(house.now(), None)).await.unwrap().unwrap(); }
        tx.commit().await.unwrap();
        let pg = db.is_postgres();
        println!("pg={pg} enqueue 10000: {:?}", t.elapsed());
        let claim = async |n: u32| { let tx = house.platform().await; let t = Instant::now(); let c = tx.queue().claim("w", house.later(HOUR), n).await.unwrap(); let e = t.elapsed(); tx.commit().await.unwrap(); (c, e, t.elapsed()) };
        for what in ["unlimited", "capped"] {
            let mut times = Vec::new();
            for _ in 0..40 { let (c, e, all) = claim(if what=="capped" {2} else {UNLIMITED}).await; assert_eq!(c.is_some(), what != "capped"); times.push((e, all)); }
            times.sort();
            println!("pg={pg} {what}: median {:?} max {:?}", times[20], times[39]);
        }
        house.clock.advance(SECOND);
        let tx = house.begin(b).await; tx.jobs().enqueue(&job(house.now(), None)).await.unwrap().unwrap(); tx.commit().await.unwrap();
        let (c, e, _) = claim(2).await; println!("pg={pg} b behind capped a: {:?} {e:?}", c.unwrap().tenant == Some(b.tenant_id()));
        let t = Instant::now(); let tx = house.begin(a).await; for _ in 0..100 { tx.jobs().enqueue(&job(house.now(), None)).await.unwrap(); } println!("pg={pg} enqueue behind 10000: {:?}", t.elapsed()/100); drop(tx);
        let many: Vec<String> = (0..5000).map(|n| format!("Artículo {n}. {}", "palabra ".repeat(50))).collect();
        let pieces: Vec<_> = many.iter().map(String::as_str).collect();
        let tx = house.begin(a).await;
        let kb = add_kb(&tx, &shared_kb("kb")).await;
        let id = add(&tx, &kb, "x").await;
        let t = Instant::now(); let item = build(&tx, id, &pieces).await; println!("pg={pg} build 5000: {:?}", t.elapsed());
        let t = Instant::now(); for n in 0..20 { embed(&tx, &item, n*250, 250).await; } println!("pg={pg} embed 20x250: {:?}", t.elapsed());
        let t = Instant::now(); assert!(tx.ingest().publish(&item, 1).await.unwrap()); println!("pg={pg} publish: {:?}", t.elapsed());
        tx.commit().await.unwrap();
        let tx = house.begin(a).await;
        let t = Instant::now(); let item = build(&tx, id, &pieces).await; for n in 0..20 { embed(&tx, &item, n*250, 250).await; } println!("pg={pg} second build: {:?}", t.elapsed());
        let t = Instant::now(); assert!(tx.ingest().publish(&item, 2).await.unwrap()); println!("pg={pg} second publish: {:?}", t.elapsed());
        tx.commit().await.unwrap();
        let tx = house.read(a).await;
        for _ in 0..3 { let t = Instant::now(); let n = tx.chunks().searchable(&[kb.id]).await.unwrap().len(); println!("pg={pg} searchable {n}: {:?}", t.elapsed()); }
        let ids: Vec<_> = tx.chunks().searchable(&[kb.id]).await.unwrap().iter().take(20).map(|c| c.id).collect();
        let t = Instant::now(); tx.chunks().still_searchable(&[kb.id], &ids).await.unwrap(); println!("pg={pg} still 20: {:?}", t.elapsed());
        let t = Instant::now(); tx.chunks().list(&kb, id, 4000, 50).await.unwrap(); println!("pg={pg} list 50: {:?}", t.elapsed());
        let t = Instant::now(); tx.ingest().unembedded(id, 2, MODEL, 0, 512).await.unwrap(); println!("pg={pg} unembedded none of 5000: {:?}", t.elapsed());
        let t = Instant::now(); let c = tx.removal().count(&quipu_store::tenant::Target::Everything).await.unwrap(); println!("pg={pg} count all {c:?}: {:?}", t.elapsed());
        let t = Instant::now(); tx.removal().count(&quipu_store::tenant::Target::Documents(vec![id])).await.unwrap(); println!("pg={pg} count doc: {:?}", t.elapsed());
        drop(tx);
        let tx = house.platform().await;
        let t = Instant::now(); tx.tenants().delete(a.tenant_id()).await.unwrap(); tx.commit().await.unwrap(); println!("pg={pg} delete tenant: {:?}", t.elapsed());
    }
}
