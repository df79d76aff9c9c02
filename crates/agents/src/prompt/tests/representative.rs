//! Prompts as a model reads them, to be read by people before they are changed.

use super::*;
use AssistantType as T;

#[test]
fn representative_prompts_read_well() {
    let critical = [
        CriticalInstruction {
            text: "Nunca des el precio de ortodoncia sin valoración previa.",
            priority: 9,
        },
        CriticalInstruction {
            text: "Confirma siempre la cita antes de despedirte.",
            priority: 8,
        },
    ];
    let shown = [
        (
            "dental_profesional_calido_full_messaging_es",
            PromptInput {
                critical: &critical,
                ..agent()
            },
        ),
        (
            "restaurant_casual_orders_only_messaging_es",
            PromptInput {
                agent_name: "Beto",
                company_name: "Taquería El Güero",
                vertical: Vertical::Restaurant,
                style: ResponseStyle::Casual,
                assistant_type: AssistantType::OrdersOnly,
                system_instructions: Some(
                    "Los martes hay dos por uno en tacos al pastor, solo para comer aquí.",
                ),
                ..agent()
            },
        ),
        (
            "medical_muy_formal_appointments_only_voice_es",
            PromptInput {
                agent_name: "Elena",
                company_name: "Centro Médico San Gabriel",
                vertical: Vertical::Medical,
                style: ResponseStyle::MuyFormal,
                assistant_type: AssistantType::AppointmentsOnly,
                medium: Medium::Voice,
                ..agent()
            },
        ),
        (
            "general_profesional_lead_capture_messaging_en",
            PromptInput {
                language: Language::En,
                agent_name: "Sam",
                company_name: "Andes Solar",
                vertical: Vertical::General,
                style: ResponseStyle::Profesional,
                assistant_type: AssistantType::LeadCapture,
                grounding: Grounding::Open,
                lead_temperature: true,
                ..agent()
            },
        ),
        (
            "dental_casual_info_only_voice_en",
            PromptInput {
                language: Language::En,
                company_name: "Bright Smile",
                style: ResponseStyle::Casual,
                assistant_type: AssistantType::InfoOnly,
                medium: Medium::Voice,
                ..agent()
            },
        ),
    ];
    for (name, input) in shown {
        insta::assert_snapshot!(name, compile(&input).stable);
    }
}

#[test]
fn representative_turns_read_well() {
    let passages = [
        passage(
            Some("Cancelaciones"),
            "Puedes mover o cancelar tu cita sin costo hasta 24 horas antes.",
        ),
        passage(
            Some("Primera visita"),
            "En la primera visita hacemos una valoración de 30 minutos.",
        ),
    ];
    let booking = dynamic(&TurnContext {
        specialist: Specialist::BookingDental,
        customer_name: Some("Lucía Paredes"),
        branch: Some("Miraflores"),
        instructions: &["A pacientes nuevos, ofréceles primero la valoración."],
        passages: Some(&passages),
        corpora: &[corpus("Políticas de la clínica", false)],
        ..turn()
    });
    insta::assert_snapshot!("turn_booking_dental_es", booking);
    let faq = dynamic(&TurnContext {
        language: Language::En,
        locale: "es-ES",
        now: "2026-03-01T21:30[Europe/Madrid]".parse().unwrap(),
        kind: AgentKind::whole(Vertical::General, T::InfoOnly),
        medium: Medium::Voice,
        specialist: Specialist::Faq,
        learned: &[LearnedAnswer {
            question: "Do you install on flat roofs?",
            answer: "Yes, with a frame of our own.",
        }],
        caution: true,
        passages: Some(&[]),
        ..turn()
    });
    insta::assert_snapshot!("turn_faq_info_only_voice_en", faq);
}
