//! Whom a message goes to.

use crate::account::SimulatedAccount;
use crate::customer::SimulatedCustomer;
use crate::graph::error::GraphError;
use crate::state::SimulatorState;
use serde_json::Value;

pub(super) struct Addressed {
    pub(super) customer: SimulatedCustomer,
    /// As the business wrote it.
    pub(super) input: String,
    pub(super) by_user_id: bool,
}

pub(super) fn addressed(
    state: &SimulatorState,
    account: &SimulatedAccount,
    body: &Value,
) -> Result<Addressed, GraphError> {
    if body["recipient_type"]
        .as_str()
        .is_some_and(|kind| kind != "individual")
    {
        return Err(GraphError::value(
            "recipient_type must be one of {individual}",
        ));
    }
    match (&body["to"], &body["recipient"]) {
        (Value::Null, Value::Null) => Err(GraphError::missing("to")),
        (Value::String(to), Value::Null) => by_phone(state, account, to),
        (Value::Null, Value::String(id)) => by_user_id(state, account, id),
        (Value::Null, _) | (_, Value::Null) => Err(GraphError::parameter(
            "Param to and param recipient must be strings.",
        )),
        _ => Err(GraphError::parameter(
            "Exactly one of to and recipient must be there.",
        )),
    }
}

fn by_phone(
    state: &SimulatorState,
    account: &SimulatedAccount,
    to: &str,
) -> Result<Addressed, GraphError> {
    let digits: String = to.chars().filter(|c| !" +-()".contains(*c)).collect();
    if !(5..=20).contains(&digits.len()) || !digits.chars().all(|c| c.is_ascii_digit()) {
        return Err(GraphError::value("to is not a telephone number"));
    }
    if digits == account.shown_phone() {
        return Err(GraphError::new(
            400,
            131_021,
            "(#131021) Recipient cannot be sender",
        ));
    }
    let known = state.read(|records| {
        let mut spellings = spellings(&digits).into_iter();
        spellings.find_map(|id| {
            let record = records.customer(&account.account_id, &id)?;
            Some(record.customer.clone())
        })
    });
    Ok(Addressed {
        customer: known.unwrap_or_else(|| SimulatedCustomer::new(digits, "")),
        input: to.to_owned(),
        by_user_id: false,
    })
}

fn by_user_id(
    state: &SimulatorState,
    account: &SimulatedAccount,
    id: &str,
) -> Result<Addressed, GraphError> {
    let known = state.read(|records| {
        let mut records = records.customers(&account.account_id);
        let record = records.find(|record| record.customer.user_id_for(account) == id)?;
        Some(record.customer.clone())
    });
    Ok(Addressed {
        customer: known.ok_or_else(|| {
            GraphError::value("recipient is not the id of somebody who is known to the business")
        })?,
        input: id.to_owned(),
        by_user_id: true,
    })
}

/// How one number may be written: Mexico, Argentina and Brazil put a digit into mobile numbers that
/// WhatsApp has or has not.
fn spellings(digits: &str) -> Vec<String> {
    let mut spellings = vec![digits.to_owned()];
    for (short, long, length) in [("52", "521", 12), ("54", "549", 12)] {
        if let Some(rest) = digits
            .strip_prefix(long)
            .filter(|_| digits.len() == length + 1)
        {
            spellings.push(format!("{short}{rest}"));
        } else if let Some(rest) = digits
            .strip_prefix(short)
            .filter(|_| digits.len() == length)
        {
            spellings.push(format!("{long}{rest}"));
        }
    }
    if digits.starts_with("55") && digits.len() == 13 && digits[4..].starts_with('9') {
        spellings.push(format!("{}{}", &digits[..4], &digits[5..]));
    } else if digits.starts_with("55") && digits.len() == 12 {
        spellings.push(format!("{}9{}", &digits[..4], &digits[4..]));
    }
    spellings
}

#[cfg(test)]
mod tests {
    use super::spellings;

    #[test]
    fn a_number_is_found_however_it_is_spelled() {
        for (said, other) in [
            ("525512345678", "5215512345678"),
            ("541123456789", "5491123456789"),
            ("551187654321", "5511987654321"),
        ] {
            assert!(spellings(said).contains(&other.to_owned()), "{said}");
            assert!(spellings(other).contains(&said.to_owned()), "{other}");
        }
        assert_eq!(spellings("51987654321"), ["51987654321"]);
    }
}
