mod damage;
mod growth;
mod qdrant;
mod room;
mod subject;
mod suite;
