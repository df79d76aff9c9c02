mod asking;
mod limits;
mod reading;
mod refusals;
mod requests;
mod stand_in;
