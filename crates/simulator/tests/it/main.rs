//! The stand-ins, spoken to over HTTP as a business does, with a business on loopback that they deliver to.

mod business;
mod control;
mod instagram;
mod messenger;
mod n8n;
mod strictness;
mod tiktok;
mod voice;
mod whatsapp;
mod whatsapp_delivers;
