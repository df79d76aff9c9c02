//! What Graph tells of the things that it knows.

use super::error::GraphError;
use super::{GraphRequest, is_parent};
use crate::account::{SimulatedAccount, SimulatedChannel, SimulatedTemplate};
use crate::state::{FileRecord, SimulatorState};
use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

pub(super) const APP_ID: u64 = 100_200_300_400_500;
const APP_NAME: &str = "Quipu";

/// Something that Graph knows.
struct Node {
    value: Value,
    kind: &'static str,
    /// What is told where nothing in particular is asked for.
    shown: &'static str,
    /// What is documented, and empty here.
    empty: &'static [&'static str],
}

/// A number, an account, a page, a file or a customer.
pub(super) fn read(
    state: &SimulatorState,
    request: &GraphRequest,
    account: &SimulatedAccount,
    id: &str,
) -> Result<Value, GraphError> {
    let node = if account.account_id == id {
        account_node(account)
    } else if is_parent(account, id) {
        parent_node(account)
    } else if let Some(file) = own_file(state, account, id) {
        Node {
            value: file_value(state, &file),
            kind: "Media",
            shown: "url,mime_type,sha256,file_size,id,messaging_product",
            empty: &[],
        }
    } else {
        profile(state, account, id).ok_or_else(|| GraphError::unknown_object(id))?
    };
    let fields = request
        .query
        .get("fields")
        .map_or(node.shown, String::as_str);
    let mut answer = Map::new();
    answer.insert("id".to_owned(), node.value["id"].clone());
    for field in fields
        .split(',')
        .map(str::trim)
        .filter(|field| !field.is_empty())
    {
        if let Some(value) = node.value.get(field) {
            answer.insert(field.to_owned(), value.clone());
        } else if !node.empty.contains(&field) {
            let kind = node.kind;
            return Err(GraphError::parameter(format!(
                "Tried accessing nonexisting field ({field}) on node type ({kind})"
            )));
        }
    }
    Ok(Value::Object(answer))
}

fn account_node(account: &SimulatedAccount) -> Node {
    let (id, name) = (&account.account_id, account.shown_name());
    match account.channel {
        SimulatedChannel::Whatsapp => Node {
            value: number_value(account),
            kind: "WhatsAppBusinessPhoneNumber",
            shown: "verified_name,code_verification_status,display_phone_number,quality_rating,\
                    platform_type,throughput,webhook_configuration,id",
            empty: &EMPTY_OF_NUMBERS,
        },
        SimulatedChannel::Instagram => Node {
            value: json!({
                "id": id, "user_id": id, "username": "negocio_de_prueba", "name": name,
                "account_type": "BUSINESS", "followers_count": 0,
            }),
            kind: "IGUser",
            shown: "id",
            empty: &["profile_picture_url", "biography", "website"],
        },
        _ => Node {
            value: json!({
                "id": id, "name": name, "username": "negocio.de.prueba", "category": "Local business",
                "link": format!("https://www.facebook.com/{id}"),
            }),
            kind: "Page",
            shown: "name,id",
            empty: &[
                "picture",
                "instagram_business_account",
                "connected_instagram_account",
            ],
        },
    }
}

const EMPTY_OF_NUMBERS: [&str; 13] = [
    "certificate",
    "conversational_automation",
    "country_code",
    "country_dial_code",
    "eligibility_for_api_business_global_search",
    "health_status",
    "is_on_biz_app",
    "is_pin_enabled",
    "is_preverified_number",
    "last_onboarded_time",
    "new_certificate",
    "new_name_status",
    "search_visibility",
];

const EMPTY_OF_PARENTS: [&str; 13] = [
    "account_review_status",
    "business_verification_status",
    "country",
    "disable_marketing_messages_on_cloud_api",
    "health_status",
    "is_enabled_for_insights",
    "marketing_messages_lite_api_status",
    "marketing_messages_onboarding_status",
    "on_behalf_of_business_info",
    "owner_business_info",
    "ownership_type",
    "status",
    "subscribed_apps",
];

fn number_value(account: &SimulatedAccount) -> Value {
    json!({
        "id": account.account_id, "verified_name": account.shown_name(),
        "display_phone_number": format!("+{}", account.shown_phone()),
        "quality_rating": "GREEN", "quality_score": { "score": "GREEN" },
        "code_verification_status": "VERIFIED", "platform_type": "CLOUD_API",
        "throughput": { "level": "STANDARD" }, "name_status": "APPROVED", "status": "CONNECTED",
        "account_mode": "LIVE", "is_official_business_account": false,
        "messaging_limit_tier": "TIER_1K", "whatsapp_business_manager_messaging_limit": "TIER_1K",
        "webhook_configuration": { "application": account.webhook_url },
    })
}

fn parent_node(account: &SimulatedAccount) -> Node {
    Node {
        value: json!({
            "id": account.parent(), "name": account.shown_name(), "currency": "USD",
            "timezone_id": "1", "message_template_namespace": "simulador",
        }),
        kind: "WhatsAppBusinessAccount",
        shown: "id,name,timezone_id,message_template_namespace",
        empty: &EMPTY_OF_PARENTS,
    }
}

/// Files of WhatsApp have an id at Graph; those of the others have an address alone.
fn own_file(state: &SimulatorState, account: &SimulatedAccount, id: &str) -> Option<FileRecord> {
    let file = state.read(|records| records.file(id).cloned())?;
    let own =
        file.account_id == account.account_id && account.channel == SimulatedChannel::Whatsapp;
    own.then_some(file)
}

fn file_value(state: &SimulatorState, file: &FileRecord) -> Value {
    json!({
        "id": file.id, "messaging_product": "whatsapp", "url": file_url(&state.url(), &file.id),
        "mime_type": file.mime_type, "sha256": hex::encode(Sha256::digest(file.bytes.as_slice())),
        "file_size": file.bytes.len(),
    })
}

/// Where the bytes of a file are.
pub(crate) fn file_url(base: &str, id: &str) -> String {
    format!("{base}/attachments/{id}")
}

/// The digest of a file, as deliveries write it.
pub(super) fn file_digest(file: &FileRecord) -> String {
    STANDARD.encode(Sha256::digest(file.bytes.as_slice()))
}

/// Whoever wrote to a page. WhatsApp tells nothing of anybody.
fn profile(state: &SimulatorState, account: &SimulatedAccount, id: &str) -> Option<Node> {
    if account.channel == SimulatedChannel::Whatsapp {
        return None;
    }
    let name = state.read(|records| {
        let record = records.customer(&account.account_id, id)?;
        Some(record.customer.name.clone())
    })?;
    let (first, last) = name.split_once(' ').unwrap_or((name.as_str(), ""));
    Some(match account.channel {
        SimulatedChannel::Instagram => Node {
            value: json!({
                "id": id, "name": name, "username": name.to_lowercase().replace(' ', "."),
                "is_verified_user": false, "follower_count": 0, "is_user_follow_business": true,
                "is_business_follow_user": false,
            }),
            kind: "IGBusinessScopedID",
            shown: "id,name,username",
            empty: &["profile_pic"],
        },
        _ => Node {
            value: json!({ "id": id, "name": name, "first_name": first, "last_name": last }),
            kind: "User",
            shown: "id,first_name,last_name",
            empty: &["profile_pic", "locale", "timezone", "gender"],
        },
    })
}

/// Which programs are told of what happens.
pub(super) fn subscribed(
    state: &SimulatorState,
    request: &GraphRequest,
    account: &SimulatedAccount,
    id: &str,
) -> Result<Value, GraphError> {
    let is_whatsapp = account.channel == SimulatedChannel::Whatsapp;
    if is_whatsapp && !is_parent(account, id) || !is_whatsapp && account.account_id != id {
        return Err(GraphError::unknown_object(id));
    }
    match request.method {
        Method::GET => {
            let app = if is_whatsapp {
                json!({ "whatsapp_business_api_data": { "id": APP_ID.to_string(), "name": APP_NAME, "link": "" } })
            } else {
                let fields = [
                    "messages",
                    "message_echoes",
                    "messaging_postbacks",
                    "message_reads",
                ];
                json!({ "id": APP_ID.to_string(), "name": APP_NAME, "link": "", "subscribed_fields": fields })
            };
            let subscribed = state.read(|records| records.is_subscribed(&account.account_id));
            let apps = if subscribed { vec![app] } else { Vec::new() };
            Ok(json!({ "data": apps }))
        }
        Method::POST => {
            let names_fields = request.parameter("subscribed_fields").is_some()
                || request.body["subscribed_fields"].is_array();
            if !is_whatsapp && !names_fields {
                return Err(GraphError::parameter(
                    "The parameter subscribed_fields is required.",
                ));
            }
            state.edit(|records| records.subscribe(&account.account_id, true));
            Ok(json!({ "success": true }))
        }
        Method::DELETE => {
            state.edit(|records| records.subscribe(&account.account_id, false));
            Ok(json!({ "success": true }))
        }
        _ => Err(GraphError::unknown_object(id)),
    }
}

/// The templates of an account, a page at a time.
pub(super) fn templates(
    request: &GraphRequest,
    account: &SimulatedAccount,
) -> Result<Value, GraphError> {
    let number = |name: &str, least: usize, otherwise: usize| match request.query.get(name) {
        Some(value) => {
            let number = value.parse::<usize>().ok().filter(|n| *n >= least);
            number.ok_or_else(|| GraphError::parameter(format!("Param {name} is not valid.")))
        }
        None => Ok(otherwise),
    };
    let (limit, after) = (number("limit", 1, 25)?, number("after", 0, 0)?);
    let asked = |name: &str, value: &str| {
        let asked = request.query.get(name);
        asked.is_none_or(|asked| asked.split(',').any(|asked| asked == value))
    };
    let wanted: Vec<Value> = account
        .templates
        .iter()
        .enumerate()
        .filter(|(_, template)| asked("name", &template.name))
        .filter(|(_, template)| asked("language", &template.language))
        .filter(|(_, template)| asked("status", &template.status))
        .filter(|(_, template)| asked("category", &template.category))
        .map(|(at, template)| template_node(at, template))
        .collect();
    let shown: Vec<&Value> = wanted.iter().skip(after).take(limit).collect();
    let end = after + shown.len();
    let mut answer = json!({
        "data": shown,
        "paging": { "cursors": { "before": after.to_string(), "after": end.to_string() } },
    });
    if request.query.contains_key("summary") {
        answer["summary"] = json!({
            "total_count": wanted.len(), "message_template_count": account.templates.len(),
            "message_template_limit": 6000, "are_translations_complete": true,
        });
    }
    if end < wanted.len() {
        answer["paging"]["next"] = format!("?limit={limit}&after={end}").into();
    }
    Ok(answer)
}

fn template_node(at: usize, template: &SimulatedTemplate) -> Value {
    let mut body = json!({ "type": "BODY", "text": template.body });
    if template.placeholders() > 0 {
        let examples: Vec<String> = (1..=template.placeholders())
            .map(|n| format!("valor {n}"))
            .collect();
        body["example"] = json!({ "body_text": [examples] });
    }
    let mut components = vec![body];
    if !template.buttons.is_empty() {
        let buttons = template
            .buttons
            .iter()
            .map(|text| json!({ "type": "QUICK_REPLY", "text": text }));
        components.push(json!({ "type": "BUTTONS", "buttons": buttons.collect::<Vec<_>>() }));
    }
    json!({
        "id": (900_000_000_000_000_usize + at).to_string(), "name": template.name, "language": template.language,
        "status": template.status, "category": template.category, "parameter_format": "POSITIONAL",
        "components": components,
    })
}

/// The numbers of an account.
pub(super) fn numbers(accounts: &[SimulatedAccount], id: &str) -> Value {
    let own = accounts.iter().filter(|account| is_parent(account, id));
    let nodes: Vec<Value> = own.map(number_value).collect();
    json!({ "data": nodes })
}
