mod damage;
mod growth;
mod room;
mod subject;
mod suite;
