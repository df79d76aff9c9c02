//! What is kept around an agent's answers: what it is always told, what it did, what people made of
//! that, and what it may learn from them.

mod figures;
mod gaps;
mod instructions;
mod learning;
mod polish;
mod relevant;
mod turns;
