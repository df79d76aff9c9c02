//! Every tool there is.

use super::arguments::{
    AvailableSlots, Award, BranchInfo, CancelledAppointment, CancelledOrder, CompetitorQuestion,
    Escalation, FaqQuestion, InvoiceData, KnowledgeQuestion, LeadInfo, MenuQuestion,
    MovedAppointment, NewAppointment, NewOrder, Nothing, OrderQuestion, PolicyQuestion,
    ReceiptPhoto, RewardChoice, ServiceCatalogue, ServiceInfo, ServiceList, StaffInfo, Symptoms,
    TemplateQuestion,
};
use super::{Access, Tool};
use quipu_core::agent::{Specialist as S, Vertical};
use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

macro_rules! tools {
    ($($access:ident $name:literal($arguments:ty) for $verticals:expr, $specialists:expr;
        $es:literal, $en:literal;)+) => {
        pub const ALL: &[Tool] = &[$(Tool {
            name: $name,
            access: Access::$access,
            es: $es,
            en: $en,
            verticals: $verticals,
            specialists: $specialists,
            schema: schema::<$arguments>,
        }),+];
    };
}

const EVERYONE: &[Vertical] = &[];
const DENTAL: &[Vertical] = &[Vertical::Dental];

/// Whoever talks about what the business offers.
const SALES: &[S] = &[
    S::General,
    S::Faq,
    S::Pricing,
    S::Booking,
    S::BookingDental,
    S::BookingMedical,
    S::UrgentCare,
];
const BOOKING: &[S] = &[
    S::Booking,
    S::BookingDental,
    S::BookingMedical,
    S::BookingRestaurant,
    S::UrgentCare,
];
/// Whoever is asked about what the customer has booked.
const AGENDA: &[S] = &[
    S::General,
    S::Booking,
    S::BookingDental,
    S::BookingMedical,
    S::BookingRestaurant,
    S::UrgentCare,
];
const ORDERING: &[S] = &[S::OrderingRestaurant];
const ALL_PARTS: &[S] = S::ALL;

tools! {
    Read "get_business_info"(Nothing) for EVERYONE, ALL_PARTS;
        "El negocio: contacto, formas de pago, sucursales y zonas de entrega.",
        "The business: contact, ways to pay, branches and delivery zones.";
    Read "get_branch_info"(BranchInfo) for EVERYONE, ALL_PARTS;
        "Dirección, teléfonos, mapa y horario de una sucursal o de todas; si abre ahora.",
        "Address, telephones, map and hours of a branch or of all, and whether it is open now.";
    Read "get_staff_info"(StaffInfo) for EVERYONE,
        &[S::General, S::Faq, S::Booking, S::BookingDental, S::BookingMedical, S::UrgentCare];
        "Quién atiende: nombre, especialidad y sucursales de una persona o de todos.",
        "Who attends: name, specialty and branches of a person or of everyone.";
    Read "get_service_info"(ServiceInfo) for EVERYONE, SALES;
        "Precio, duración, descripción y promoción de un servicio que el cliente nombra.",
        "Price, duration, description and promotion of a service that the customer names.";
    Read "list_services"(ServiceList) for EVERYONE, SALES;
        "Lista de servicios con su precio y categoría.",
        "The services with price and category.";
    Read "get_service_catalog"(ServiceCatalogue) for EVERYONE, SALES;
        "Catálogo completo por categorías, con precios, duración, promociones y quién lo atiende.",
        "The whole catalogue by category, with prices, durations, promotions and who does it.";
    Read "get_available_slots"(AvailableSlots) for EVERYONE, BOOKING;
        "Horarios libres; con time, primero los más cercanos a esa hora. Ofrece solo los que devuelve; usa su slot_id para agendar.",
        "Times that can be booked; with time, those nearest to that hour first. Offer only what it returns; book with its slot_id.";
    Read "get_appointments"(Nothing) for EVERYONE, AGENDA;
        "Las citas próximas del cliente, las haya hecho donde sea.",
        "The customer's upcoming appointments, however they were made.";
    Read "get_policy"(PolicyQuestion) for EVERYONE, ALL_PARTS;
        "Una política: cancelación, cambios, pago, garantía, devoluciones, privacidad.",
        "A policy: cancellation, changes, payment, warranty, refunds, privacy.";
    Read "get_faq"(FaqQuestion) for EVERYONE, &[S::General, S::Faq];
        "Preguntas frecuentes con su respuesta: las que se parecen a lo que pregunta el cliente.",
        "Frequent questions with their answers: those like what the customer asks.";
    Read "search_knowledge_base"(KnowledgeQuestion) for EVERYONE, ALL_PARTS;
        "Busca en los documentos del negocio. Responde solo con lo que devuelve y cítalo.",
        "Searches the documents of the business. Answer only from what it returns and cite it.";
    Read "get_response_template"(TemplateQuestion) for EVERYONE, ALL_PARTS;
        "Una respuesta preparada por el negocio, con sus variables puestas. Faltan las que diga missing.",
        "An answer that the business has prepared, with its variables filled in. Those in missing are not.";
    Read "get_competitor_strategy"(CompetitorQuestion) for EVERYONE,
        &[S::General, S::Faq, S::Pricing];
        "Qué decir cuando el cliente menciona a la competencia. Nunca hables mal de nadie.",
        "What to say when the customer names a competitor. Never speak ill of anybody.";
    Read "get_menu"(MenuQuestion) for EVERYONE,
        &[S::General, S::Pricing, S::OrderingRestaurant, S::BookingRestaurant];
        "El menú o los productos con precio, opciones, alérgenos y si hay hoy.",
        "The menu or the products with price, options, allergens and whether there is any today.";
    Read "get_loyalty_balance"(Nothing) for EVERYONE, &[S::Loyalty, S::OrderingRestaurant];
        "Los puntos del cliente, cuándo vencen y qué premios puede pedir.",
        "The customer's points, when they lapse and which rewards are within reach.";
    Read "get_order_status"(OrderQuestion) for EVERYONE, &[S::General, S::OrderingRestaurant];
        "Cómo va un pedido del cliente y para cuándo está.",
        "How an order of the customer is getting on and when it will be there.";
    Read "check_dental_urgency"(Symptoms) for DENTAL,
        &[S::UrgentCare, S::BookingDental, S::General];
        "Qué tan urgente es lo que siente el cliente, del 1 al 5, y qué hacer. No diagnostica.",
        "How urgent what the customer feels is, from 1 to 5, and what to do. It diagnoses nothing.";

    Write "create_appointment"(NewAppointment) for EVERYONE, BOOKING;
        "Agenda una cita o reserva, en un horario que ofreció get_available_slots y que el cliente aceptó.",
        "Makes an appointment at a time that get_available_slots offered and the customer accepted.";
    Write "reschedule_appointment"(MovedAppointment) for EVERYONE, BOOKING;
        "Cambia la cita del cliente a otro horario libre; si no se puede, conserva la que tenía.",
        "Moves the customer's appointment to another free time; if it cannot, the old one stays.";
    Write "cancel_appointment"(CancelledAppointment) for EVERYONE, BOOKING;
        "Cancela la cita del cliente.",
        "Cancels the customer's appointment.";
    Write "update_lead_info"(LeadInfo) for EVERYONE, ALL_PARTS;
        "Guarda el nombre, correo o teléfono que el cliente acaba de dar.",
        "Keeps the name, e-mail or telephone that the customer has just given.";
    Write "create_order"(NewOrder) for EVERYONE, ORDERING;
        "Toma un pedido para recoger o a domicilio. El total lo calcula el sistema.",
        "Takes an order for pickup or delivery. The total is reckoned by the system.";
    Write "cancel_order"(CancelledOrder) for EVERYONE, ORDERING;
        "Cancela un pedido del cliente que aún no se prepara.",
        "Cancels an order of the customer that is not being prepared yet.";
    Write "award_loyalty_tokens"(Award) for EVERYONE, &[S::Loyalty, S::OrderingRestaurant];
        "Da al cliente los puntos de un pedido entregado o una cita cumplida que aún no los dio.",
        "Gives the customer the points of a completed order or appointment that gave none yet.";
    Write "redeem_reward"(RewardChoice) for EVERYONE, &[S::Loyalty, S::OrderingRestaurant];
        "Canjea puntos del cliente por un premio y devuelve su código.",
        "Exchanges points of the customer for a reward and returns its code.";
    Write "request_invoice"(InvoiceData) for EVERYONE, &[S::Invoicing];
        "Registra una solicitud de factura (CFDI) con los datos fiscales del cliente.",
        "Files a request for an invoice (CFDI) with the customer's tax data.";
    Write "escalate_to_human"(Escalation) for EVERYONE, ALL_PARTS;
        "Pide que una persona siga con la conversación.",
        "Asks for a person to go on with the conversation.";
    Read "extract_receipt"(ReceiptPhoto) for EVERYONE, &[S::Invoicing];
        "Lee la foto o el PDF de un ticket: emisor, RFC, folio, fecha, productos y total. Confirma con el cliente lo que venga en doubted.",
        "Reads the photograph or PDF of a ticket: issuer, RFC, folio, date, items and total. Confirm with the customer what is in doubted.";
}

/// The tool with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    ALL.iter().find(|tool| tool.name == name)
}

/// The JSON schema of a type, as models take it: an object that says what it has and nothing else.
fn schema<T: PartialSchema>() -> Value {
    let mut schema = serde_json::to_value(T::schema()).unwrap_or_default();
    simplify(&mut schema);
    if let Some(fields) = schema.as_object_mut() {
        fields.entry("type").or_insert(json!("object"));
        fields.entry("properties").or_insert(json!({}));
        fields.entry("required").or_insert(json!([]));
        fields.insert("additionalProperties".to_owned(), json!(false));
    }
    schema
}

/// A field that may be left out is said to be null as well; models read the plain type better.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Array(types)) = fields.get("type") {
                let kept = types.iter().find(|kind| **kind != json!("null")).cloned();
                if let Some(kind) = kept {
                    fields.insert("type".to_owned(), kind);
                }
            }
            if let Some(only) = not_null(fields) {
                for (name, value) in only {
                    fields.entry(name).or_insert(value);
                }
                fields.remove("oneOf");
            }
            // The names of JSON are texts anyway.
            fields.remove("propertyNames");
            if fields.get("type") == Some(&json!("object")) && fields.contains_key("properties") {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            fields.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// What a field is where it is said to be that or null.
fn not_null(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let null = json!({ "type": "null" });
    match fields.get("oneOf")?.as_array()?.as_slice() {
        [one, other] if *other == null => one.as_object().cloned(),
        [other, one] if *other == null => one.as_object().cloned(),
        _ => None,
    }
}
