//! What happens to messages of the business on the phone of a customer, and what its owner writes.

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::customer::SimulatedCustomer;
use crate::delivery::QueuedDelivery;
use crate::failure::SimulatedFailure;
use crate::incoming::Delivered;
use crate::message::{MessageAuthor, MessageState, SimulatedMessage};
use crate::state::SimulatorState;
use crate::{graph, tiktok};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

const MOST_ECHO_CHARS: usize = 4096;

impl SimulatorState {
    /// Tells the business that a message has come further, or not.
    pub(crate) fn report(
        self: &Arc<Self>,
        account_id: &str,
        message_id: &str,
        becomes: MessageState,
        failure: Option<&SimulatedFailure>,
    ) -> Result<(), String> {
        let account = self.account(account_id).ok_or("there is no such account")?;
        let (message, customer) = self
            .read(|records| {
                let message = records.message(account_id, message_id);
                let message =
                    message.filter(|message| message.author != MessageAuthor::Customer)?;
                let record = records.customer(account_id, &message.customer_id)?;
                Some((message.clone(), record.customer.clone()))
            })
            .ok_or("the business has sent no such message")?;
        let body = self.status_body(&account, &customer, &message, becomes, failure)?;
        if let Some(failure) = failure {
            self.edit(|records| {
                if let Some(message) = records.message_mut(account_id, message_id) {
                    message.failure_code = Some(failure.code);
                }
            });
        }
        if becomes == MessageState::Read && account.channel != SimulatedChannel::Whatsapp {
            self.edit(|records| records.seen_up_to(account_id, &customer.id, message_id));
        }
        let queued = QueuedDelivery {
            body,
            message_id: Some(message.id),
            becomes: Some(becomes),
            pause: Duration::ZERO,
        };
        self.deliver_later(account_id, queued);
        Ok(())
    }

    fn status_body(
        &self,
        account: &SimulatedAccount,
        customer: &SimulatedCustomer,
        message: &SimulatedMessage,
        becomes: MessageState,
        failure: Option<&SimulatedFailure>,
    ) -> Result<Value, String> {
        let now = self.clock.now();
        match (account.channel, becomes) {
            (SimulatedChannel::Whatsapp, MessageState::Accepted) => {
                Err("a message that was taken has no state of its own".to_owned())
            }
            (SimulatedChannel::Whatsapp, _) => {
                let template = message.template.as_ref();
                let template = template.and_then(|name| {
                    account
                        .templates
                        .iter()
                        .find(|template| template.name == *name)
                });
                let category =
                    template.map_or_else(|| "service".to_owned(), |t| t.category.to_lowercase());
                Ok(graph::whatsapp::status_body(
                    self, account, customer, message, becomes, &category, failure,
                ))
            }
            (SimulatedChannel::Messenger, MessageState::Delivered) => Ok(
                graph::pages::delivered_body(account, customer, message, now),
            ),
            (SimulatedChannel::Messenger | SimulatedChannel::Instagram, MessageState::Read) => {
                Ok(graph::pages::read_body(account, customer, message, now))
            }
            (SimulatedChannel::Tiktok, MessageState::Read) => {
                Ok(tiktok::read_body(account, customer, now))
            }
            _ => Err("the channel does not tell of this".to_owned()),
        }
    }

    /// Somebody of the business answers from their own phone, or from the channel's inbox.
    pub(crate) async fn echo(
        &self,
        account_id: &str,
        to: &SimulatedCustomer,
        text: &str,
        app_id: Option<u64>,
    ) -> Result<Delivered, String> {
        let account = self.account(account_id).ok_or("there is no such account")?;
        if let Some(fault) = to.fault(account.channel) {
            return Err(fault.to_owned());
        }
        if text.is_empty() || text.chars().count() > MOST_ECHO_CHARS {
            return Err(format!("a text has 1 to {MOST_ECHO_CHARS} characters"));
        }
        self.edit(|records| records.meet(account_id, to));
        let mut message = SimulatedMessage::new(MessageAuthor::Owner, account_id, &to.id);
        message.text = Some(text.to_owned());
        message.state = MessageState::Delivered;
        let message = self.record(&account, message);
        let body = match account.channel {
            SimulatedChannel::Whatsapp => graph::whatsapp::echo_body(&account, to, &message),
            SimulatedChannel::Messenger | SimulatedChannel::Instagram => {
                graph::pages::echo_body(&account, to, &message, app_id)
            }
            SimulatedChannel::Tiktok => tiktok::echo_body(&account, to, &message, "APP"),
            SimulatedChannel::Voice => return Err("nobody writes over the telephone".to_owned()),
        };
        let answer = self.deliver(&account, &body, Some(&message.id)).await?;
        Ok(Delivered {
            status: answer.status,
            message_id: message.id,
        })
    }

    /// Delivers something once more, as channels do when they are not sure.
    pub(crate) async fn repeat(
        &self,
        account_id: &str,
        message_id: &str,
    ) -> Result<Delivered, String> {
        let account = self.account(account_id).ok_or("there is no such account")?;
        let body = self.read(|records| {
            let mut deliveries = records.deliveries(account_id);
            let delivery = deliveries.find(|d| d.message_id.as_deref() == Some(message_id))?;
            delivery.body.is_object().then(|| delivery.body.clone())
        });
        let body = body.ok_or("nothing was delivered of this message, or too long ago")?;
        let answer = self.deliver(&account, &body, Some(message_id)).await?;
        Ok(Delivered {
            status: answer.status,
            message_id: message_id.to_owned(),
        })
    }
}
