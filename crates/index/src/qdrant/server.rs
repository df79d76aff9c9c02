//! What the server is asked to do, call by call.

use super::fault::{Fault, Outcome};
use super::filter::Filter;
use super::point::{ASKED, Point};
use super::settings::QdrantSettings;
use super::wire::Wire;
use quipu_core::Result;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

/// How many points are read at a time.
const PAGE: u64 = 2_500;
/// How many points, and bytes of points, are sent at a time.
const BATCH_POINTS: usize = 256;
const BATCH_BYTES: usize = 4 << 20;
/// How many different values of a field can be told.
const MOST_VALUES: usize = 2_000_000;

/// A change counts when it is applied, not when it is noted.
const WRITE: &str = "?wait=true";
/// What is compared and changed at once goes through one replica.
const COMPARE: &str = "?wait=true&ordering=strong";

pub(super) struct Server {
    wire: Wire,
}

#[derive(Deserialize)]
struct Counted {
    count: u64,
}

#[derive(Deserialize)]
struct Page<T> {
    points: Vec<T>,
    next_page_offset: Option<Value>,
}

#[derive(Deserialize)]
struct Points {
    points: Vec<Point>,
}

/// What became of a change.
#[derive(Deserialize)]
struct Written {
    status: String,
}

impl Written {
    /// A change that is only noted would be missed by whoever reads next.
    fn checked(self) -> Outcome<()> {
        match self.status.as_str() {
            "completed" => Ok(()),
            other => Err(Fault::Unavailable(format!("a change was only {other}"))),
        }
    }
}

#[derive(Deserialize)]
struct Facet {
    hits: Vec<Value>,
}

impl Server {
    pub(super) fn new(settings: &QdrantSettings) -> Result<Self> {
        Ok(Self {
            wire: Wire::new(settings)?,
        })
    }

    pub(super) async fn collections(&self) -> Outcome<Vec<String>> {
        #[derive(Deserialize)]
        struct Named {
            name: String,
        }
        #[derive(Deserialize)]
        struct Listed {
            collections: Vec<Named>,
        }
        let listed: Listed = self.wire.get("/collections").await?;
        Ok(listed.collections.into_iter().map(|c| c.name).collect())
    }

    /// Makes a collection, unless it is there.
    pub(super) async fn create(&self, collection: &str, body: &Value) -> Outcome<()> {
        #[derive(Deserialize)]
        struct There {
            exists: bool,
        }
        let path = format!("/collections/{collection}/exists");
        let there: There = self.wire.get(&path).await?;
        if there.exists {
            return Ok(());
        }
        let path = format!("/collections/{collection}");
        let made: Outcome<Value> = self.wire.put(&path, body.to_string()).await;
        match made {
            // Somebody else made it first.
            Ok(_) | Err(Fault::Refused(409, _)) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// Lets points be found by a field. Doing so twice changes nothing.
    pub(super) async fn index(&self, collection: &str, field: &str, schema: &Value) -> Outcome<()> {
        let path = format!("/collections/{collection}/index{WRITE}");
        let body = json!({ "field_name": field, "field_schema": schema });
        let written: Written = self.wire.put(&path, body.to_string()).await?;
        written.checked()
    }

    pub(super) async fn count(&self, collection: &str, filter: &Filter) -> Outcome<u64> {
        let path = format!("/collections/{collection}/points/count");
        let body = json!({ "filter": filter.json(), "exact": true });
        let counted: Counted = self.wire.post(&path, &body).await?;
        Ok(counted.count)
    }

    /// All points of a filter, a page at a time, with some of what they hold.
    pub(super) async fn scroll<T: DeserializeOwned>(
        &self,
        collection: &str,
        filter: Option<&Filter>,
        fields: &[String],
    ) -> Outcome<Vec<T>> {
        let path = format!("/collections/{collection}/points/scroll");
        let mut found = Vec::new();
        let mut offset = Value::Null;
        loop {
            let mut body = json!({
                "limit": PAGE,
                "with_payload": { "include": fields },
                "with_vector": false,
            });
            if let Some(filter) = filter {
                body["filter"] = filter.json();
            }
            if !offset.is_null() {
                body["offset"] = offset;
            }
            let page: Page<T> = self.wire.post(&path, &body).await?;
            let empty = page.points.is_empty();
            found.extend(page.points);
            match page.next_page_offset {
                Some(next) if !next.is_null() && !empty => offset = next,
                _ => return Ok(found),
            }
        }
    }

    /// The nearest points to a vector.
    pub(super) async fn query(
        &self,
        collection: &str,
        (name, vector): (&str, Value),
        filter: &Filter,
        (limit, params): (u64, Value),
        fields: &[String],
    ) -> Outcome<Vec<Point>> {
        let path = format!("/collections/{collection}/points/query");
        let asked: Vec<&str> = ASKED
            .into_iter()
            .chain(fields.iter().map(String::as_str))
            .collect();
        let body = json!({
            "query": vector,
            "using": name,
            "filter": filter.json(),
            "params": params,
            "limit": limit,
            "with_payload": { "include": asked },
            "with_vector": false,
        });
        let found: Points = self.wire.post(&path, &body).await?;
        Ok(found.points)
    }

    /// Whether there is any point, for each of some filters.
    pub(super) async fn any(&self, collection: &str, filters: &[Filter]) -> Outcome<Vec<bool>> {
        #[derive(Deserialize)]
        struct Answer {
            points: Vec<Value>,
        }
        let path = format!("/collections/{collection}/points/query/batch");
        let searches: Vec<Value> = filters
            .iter()
            .map(|filter| {
                json!({
                    "filter": filter.json(),
                    "limit": 1,
                    "with_payload": false,
                    "with_vector": false,
                })
            })
            .collect();
        let answers: Vec<Answer> = self
            .wire
            .post(&path, &json!({ "searches": searches }))
            .await?;
        if answers.len() != filters.len() {
            let why = "another number of answers than of questions";
            return Err(Fault::Garbled(why.to_owned()));
        }
        Ok(answers.iter().map(|a| !a.points.is_empty()).collect())
    }

    /// The different values of a field.
    pub(super) async fn values<T: DeserializeOwned>(
        &self,
        collection: &str,
        field: &str,
        filter: &Filter,
    ) -> Outcome<Vec<T>> {
        let path = format!("/collections/{collection}/facet");
        let body = json!({
            "key": field,
            "filter": filter.json(),
            "limit": MOST_VALUES,
            "exact": true,
        });
        let facet: Facet = self.wire.post(&path, &body).await?;
        if facet.hits.len() >= MOST_VALUES {
            let why = format!("more than {MOST_VALUES} values of {field}");
            return Err(Fault::TooLong(why));
        }
        let read = |hit| serde_json::from_value(hit);
        let hits: std::result::Result<Vec<T>, _> = facet.hits.into_iter().map(read).collect();
        hits.map_err(|error| Fault::Garbled(error.to_string()))
    }

    /// Writes points, so many at a time that no call grows too large.
    pub(super) async fn upsert(&self, collection: &str, points: Vec<Value>) -> Outcome<()> {
        let path = format!("/collections/{collection}/points{WRITE}");
        let mut batch = Vec::new();
        let mut bytes = 0;
        for point in points {
            let point = point.to_string();
            if batch.len() == BATCH_POINTS || bytes + point.len() > BATCH_BYTES {
                self.send(&path, &mut batch).await?;
                bytes = 0;
            }
            bytes += point.len();
            batch.push(point);
        }
        self.send(&path, &mut batch).await
    }

    async fn send(&self, path: &str, batch: &mut Vec<String>) -> Outcome<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let body = format!("{{\"points\":[{}]}}", batch.join(","));
        batch.clear();
        let written: Written = self.wire.put(path, body).await?;
        written.checked()
    }

    /// Writes a point unless there is one of that name. Servers that do not know how replace it.
    pub(super) async fn insert(&self, collection: &str, point: &Value) -> Outcome<()> {
        let path = format!("/collections/{collection}/points{COMPARE}");
        let body = json!({ "points": [point], "update_mode": "insert_only" });
        let written: Written = self.wire.put(&path, body.to_string()).await?;
        written.checked()
    }

    /// Changes what the points of a filter hold.
    pub(super) async fn set(
        &self,
        collection: &str,
        payload: &Value,
        filter: &Filter,
    ) -> Outcome<()> {
        let path = format!("/collections/{collection}/points/payload{COMPARE}");
        let body = json!({ "payload": payload, "filter": filter.json() });
        let written: Written = self.wire.post(&path, &body).await?;
        written.checked()
    }

    pub(super) async fn delete(&self, collection: &str, filter: &Filter) -> Outcome<()> {
        let path = format!("/collections/{collection}/points/delete{WRITE}");
        let body = json!({ "filter": filter.json() });
        let written: Written = self.wire.post(&path, &body).await?;
        written.checked()
    }

    /// One point by its name.
    pub(super) async fn retrieve<T: DeserializeOwned>(
        &self,
        collection: &str,
        id: Uuid,
    ) -> Outcome<Option<T>> {
        let path = format!("/collections/{collection}/points");
        let body = json!({ "ids": [id], "with_payload": true, "with_vector": false });
        let found: Vec<T> = self.wire.post(&path, &body).await?;
        Ok(found.into_iter().next())
    }
}
