use super::training::{Example, examples, likeliest, measure, train};
use super::*;
use quipu_core::agent::Vertical;
use quipu_core::language::Language;

const PHRASES: &[(Intent, &str)] = &[
    (
        Intent::Greeting,
        include_str!("../../data/supervisor/phrases/greeting.txt"),
    ),
    (
        Intent::Pricing,
        include_str!("../../data/supervisor/phrases/pricing.txt"),
    ),
    (
        Intent::Booking,
        include_str!("../../data/supervisor/phrases/booking.txt"),
    ),
    (
        Intent::Ordering,
        include_str!("../../data/supervisor/phrases/ordering.txt"),
    ),
    (
        Intent::Location,
        include_str!("../../data/supervisor/phrases/location.txt"),
    ),
    (
        Intent::Hours,
        include_str!("../../data/supervisor/phrases/hours.txt"),
    ),
    (
        Intent::Faq,
        include_str!("../../data/supervisor/phrases/faq.txt"),
    ),
    (
        Intent::Urgent,
        include_str!("../../data/supervisor/phrases/urgent.txt"),
    ),
    (
        Intent::Loyalty,
        include_str!("../../data/supervisor/phrases/loyalty.txt"),
    ),
    (
        Intent::Escalation,
        include_str!("../../data/supervisor/phrases/escalation.txt"),
    ),
    (
        Intent::General,
        include_str!("../../data/supervisor/phrases/general.txt"),
    ),
];

fn phrases() -> Vec<Example> {
    PHRASES
        .iter()
        .flat_map(|(intent, file)| examples(*intent, file))
        .collect()
}

fn understand(text: &str) -> Understanding {
    Supervisor::compiled().understand(text, &Context::default())
}

fn at(vertical: Vertical, text: &str) -> Intent {
    let context = Context {
        vertical,
        ..Context::default()
    };
    Supervisor::compiled().understand(text, &context).intent()
}

fn answering(awaiting: Awaiting, last: Option<Intent>, text: &str) -> Understanding {
    let context = Context {
        awaiting: Some(awaiting),
        last_intent: last,
        ..Context::default()
    };
    Supervisor::compiled().understand(text, &context)
}

#[track_caller]
fn assert_intents(cases: &[(&str, Intent)]) {
    for (text, intent) in cases {
        let understood = understand(text);
        assert_eq!(understood.intent(), *intent, "{text}: {understood:?}");
    }
}

#[test]
fn the_weights_are_those_of_the_phrases() {
    assert!(
        Model::read(WEIGHTS).is_some(),
        "the file of weights is not of this version"
    );
    let trained = train(&phrases());
    assert!(
        trained == WEIGHTS,
        "rules or phrases have changed: run `quipu train intents` and commit the weights"
    );
    assert!(trained.len() < 500_000, "{} bytes", trained.len());
}

#[test]
fn phrases_that_were_kept_aside_are_told() {
    let measured = measure(&phrases());
    assert!(measured.phrases > 400, "{measured:?}");
    assert!(measured.model > 0.75, "{measured:?}");
    assert!(measured.supervisor > 0.85, "{measured:?}");
}

#[test]
fn every_intent_has_phrases_enough() {
    for (intent, file) in PHRASES {
        let count = examples(*intent, file).count();
        assert!(count >= 150, "{}: {count}", intent.as_str());
    }
}

#[test]
fn misspelled_and_shortened_messages_are_read() {
    assert_intents(&[
        ("qiero ajendar una sita xfa", Intent::Booking),
        ("q presio tiene la limpiesa", Intent::Pricing),
        ("dnd keda la sucurzal", Intent::Location),
        ("a k ora avren mñn", Intent::Hours),
        ("holaaaaaa", Intent::Greeting),
        ("graciaaaas 🙏", Intent::General),
        ("querés que te diga? precio nomás", Intent::Pricing),
        ("a cuánto la bandeja parce", Intent::Pricing),
        ("how much is a haircut", Intent::Pricing),
        ("can i tlak to a real person", Intent::Escalation),
    ]);
}

#[test]
fn danger_is_heard_in_the_words_of_those_who_are_in_it() {
    let stroke = [
        "a mi papá se le torció la cara y no puede hablar bien",
        "mi abuela amaneció con la boca chueca y no siente un lado",
        "my mom can't move her arm, I think it's a stroke",
    ];
    let poison = [
        "mi hijo de 3 años tomó cloro de la cocina",
        "bebí lejía por error",
        "my dog ate rat poison this morning",
    ];
    let oneself = [
        "ya no quiero vivir",
        "estoy pensando en quitarme la vida",
        "sometimes I want to hurt myself",
    ];
    let eye = [
        "tengo el ojo infectado y le sale pus",
        "se me hinchó el ojo y no veo de ese lado",
        "my eye is swollen shut and full of pus",
    ];
    let bleeding = [
        "me corté la mano con un vidrio y no para de sangrar",
        "me sacaron una muela y sangra mucho todavía",
        "I cut my finger and it won't stop bleeding",
    ];
    for text in [stroke, poison, oneself, eye, bleeding].concat() {
        for vertical in [Vertical::Dental, Vertical::Medical, Vertical::Restaurant] {
            assert_eq!(at(vertical, text), Intent::Urgent, "{vertical:?}: {text}");
        }
    }
}

#[test]
fn what_is_not_wanted_does_not_count() {
    assert_intents(&[
        ("no quiero agendar, solo saber el precio", Intent::Pricing),
        (
            "no vengo a comprar, dónde están ubicados?",
            Intent::Location,
        ),
        ("I don't want to book, what are your hours?", Intent::Hours),
        ("ya no quiero la cita del lunes", Intent::Booking),
    ]);
    let understood = understand("no quiero agendar, solo saber el precio");
    let refused = understood
        .reasons
        .iter()
        .find(|r| r.intent == Intent::Booking);
    assert!(
        refused.is_some_and(|reason| reason.weight <= 0.0),
        "{understood:?}"
    );
}

#[test]
fn danger_goes_first_then_people_then_points() {
    assert_intents(&[
        ("quiero una cita pero no puedo respirar", Intent::Urgent),
        (
            "cuánto cuesta? me está sangrando mucho la encía y no para",
            Intent::Urgent,
        ),
        ("me urge una cita para hoy", Intent::Booking),
        ("atienden urgencias?", Intent::Faq),
        (
            "mi pedido no llega, pásame con el gerente",
            Intent::Escalation,
        ),
        ("mi pedido no llega", Intent::Ordering),
        ("cuánto cuesta en puntos la hamburguesa", Intent::Loyalty),
        ("quiero pagar mi pedido con puntos", Intent::Loyalty),
    ]);
    assert!(understand("pásame con un humano").asks_human);
    assert!(!understand("eres un robot?").asks_human);
    assert!(!understand("mesa para 4 personas").asks_human);
}

#[test]
fn the_business_decides_what_a_few_words_mean() {
    assert_eq!(
        at(Vertical::Restaurant, "para 4 personas el sábado"),
        Intent::Booking
    );
    assert_eq!(
        at(Vertical::Restaurant, "quiero 2 de pastor"),
        Intent::Ordering
    );
    assert_eq!(at(Vertical::Dental, "me duele una muela"), Intent::Urgent);
}

#[test]
fn a_greeting_is_one_only_by_itself() {
    assert_intents(&[
        ("hola buenas tardes", Intent::Greeting),
        ("hola buenas tardes, a qué hora abren?", Intent::Hours),
        ("hola, cuánto cuesta?", Intent::Pricing),
        ("hola, gracias por todo", Intent::General),
    ]);
}

#[test]
fn an_answer_belongs_to_what_was_asked() {
    let time = answering(Awaiting::Time, Some(Intent::Booking), "mañana a las 5");
    assert_eq!(time.intent(), Intent::Booking);
    let yes = answering(Awaiting::Confirmation, Some(Intent::Ordering), "sí");
    assert_eq!((yes.intent(), yes.affirms), (Intent::Ordering, Some(true)));
    let no = answering(
        Awaiting::Confirmation,
        Some(Intent::Booking),
        "no, mejor no",
    );
    assert_eq!((no.intent(), no.affirms), (Intent::Booking, Some(false)));
    let name = answering(Awaiting::Name, Some(Intent::Booking), "Lucía Fernández");
    assert_eq!(name.intent(), Intent::Booking);
    let address = answering(Awaiting::Address, None, "calle Los Olivos 345, San Isidro");
    assert_eq!(address.intent(), Intent::Ordering);
    let instead = answering(Awaiting::Day, Some(Intent::Booking), "y cuánto cuesta?");
    assert_eq!(instead.intent(), Intent::Pricing);
    let danger = answering(
        Awaiting::Name,
        Some(Intent::Booking),
        "mi hijo no puede respirar",
    );
    assert_eq!(danger.intent(), Intent::Urgent);
}

#[test]
fn a_short_question_goes_on_with_the_last_one() {
    let context = Context {
        last_intent: Some(Intent::Pricing),
        ..Context::default()
    };
    let understood = Supervisor::compiled().understand("¿y el blanqueamiento?", &context);
    assert_eq!(understood.intent(), Intent::Pricing, "{understood:?}");
}

#[test]
fn yes_and_no_are_told_from_conditions() {
    for (text, affirms) in [
        ("sí", Some(true)),
        ("si por favor", Some(true)),
        ("dale", Some(true)),
        ("👍", Some(true)),
        ("no gracias", Some(false)),
        ("todavía no", Some(false)),
        ("no hay problema", Some(true)),
        ("si llego tarde me atienden igual o pierdo la cita?", None),
        ("cuánto cuesta", None),
    ] {
        assert_eq!(understand(text).affirms, affirms, "{text}");
    }
}

#[test]
fn invoices_are_told_apart() {
    for text in [
        "necesito mi factura",
        "les paso mi RFC",
        "me timbran el cfdi?",
        "dan boleta o factura",
        "can i get an invoice",
    ] {
        assert_eq!(understand(text).sub, Some(SubIntent::Invoicing), "{text}");
    }
    assert_eq!(understand("a qué hora abren").sub, None);
}

#[test]
fn several_intents_are_ranked() {
    let understood = understand("quiero agendar una limpieza, y cuánto cuesta?");
    let first: Vec<Intent> = understood.ranked.iter().take(2).map(|r| r.0).collect();
    assert!(
        first.contains(&Intent::Booking) && first.contains(&Intent::Pricing),
        "{understood:?}"
    );
    let sum: f32 = understood.ranked.iter().map(|r| r.1).sum();
    assert!((sum - 1.0).abs() < 1e-3);
    assert_eq!(understood.ranked.len(), Intent::ALL.len());
    assert!(understood.ranked.is_sorted_by(|a, b| a.1 >= b.1));
    let certainty = understood.certainty(understood.intent());
    assert!((certainty - understood.ranked[0].1).abs() < f32::EPSILON);
}

#[test]
fn anything_may_be_written() {
    for text in [
        String::new(),
        "....".to_owned(),
        "jajajajaja".to_owned(),
        "\u{0}\u{301}\u{202e}".to_owned(),
        "日本語 العربية".to_owned(),
        "no quiero ".repeat(2000),
        "ñ".repeat(50_000),
        "🍕".repeat(5000),
    ] {
        let understood = understand(&text);
        assert!(understood.ranked.iter().all(|(_, share)| share.is_finite()));
    }
    assert_eq!(understand("").intent(), Intent::General);
    assert_eq!(understand("jajajajaja").intent(), Intent::General);
}

#[test]
fn the_model_alone_knows_its_phrases() {
    let all = phrases();
    let guess = |text| likeliest(&Supervisor::compiled().guess(text));
    let right = all.iter().filter(|e| guess(&e.text) == e.intent).count();
    assert!(right * 100 >= all.len() * 97, "{right} of {}", all.len());
}

#[test]
fn the_language_of_a_conversation_is_no_obstacle() {
    let context = Context {
        language: Language::En,
        ..Context::default()
    };
    let supervisor = Supervisor::compiled();
    assert_eq!(
        supervisor.understand("cuánto cuesta", &context).intent(),
        Intent::Pricing
    );
}

#[test]
fn a_sure_reader_has_the_last_word() {
    let text = "a qué hora abren";
    let read = |sure: f32| {
        let reading = Reading {
            text: text.to_owned(),
            spans: Vec::new(),
            questions: Vec::new(),
            acts: Vec::new(),
            intents: vec![(Intent::Location, sure), (Intent::Hours, 1.0 - sure)],
            attack: 0.0,
            whole: true,
        };
        Supervisor::compiled().understand_read(text, &Context::default(), Some(&reading))
    };
    let sure = read(0.9);
    assert_eq!(sure.intent(), Intent::Location);
    assert!((sure.certainty(Intent::Location) - 0.9).abs() < 1e-6);
    let all: f32 = sure.ranked.iter().map(|(_, certainty)| certainty).sum();
    assert!((all - 1.0).abs() < 1e-3, "{all}");
    // The others keep their order, and the rules their reasons.
    assert_eq!(sure.ranked[1].0, Intent::Hours);
    assert!(!sure.reasons.is_empty());
    assert_eq!(read(0.7), understand(text));
}
