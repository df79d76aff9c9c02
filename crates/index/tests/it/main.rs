mod damage;
mod figures;
mod growth;
mod room;
mod subject;
mod suite;
