mod measured;
mod properties;

use super::*;

fn level(text: &str) -> u8 {
    assess(text, Language::Es).level.into()
}

fn rules(text: &str) -> Vec<String> {
    let reasons = assess(text, Language::Es).reasons;
    reasons.into_iter().map(|reason| reason.rule).collect()
}

#[test]
fn the_table_can_be_read() {
    assert_eq!(Table::get().problems, Vec::<String>::new());
    for (rules, _, _) in advice::FIRST_AID {
        for name in *rules {
            assert!(
                Table::get().rules.iter().any(|rule| rule.name == *name),
                "{name}"
            );
        }
    }
    for name in [
        "pain", "painless", "severe", "mild", "moderate", "fever", "child", "weeks",
    ] {
        assert!(Table::get().finding(name).is_some(), "{name}");
    }
}

#[test]
fn a_table_says_what_is_wrong_with_it() {
    let table = Table::read(
        "perdida\n[sign pain]\nduele, ..\n[mood sad]\n[rules]\n4 pain: pain near nothing\n9 pain: pain\n\
         pain\nlower to 2 sadness: pain\n",
    );
    let told = table.problems.join("\n");
    for problem in [
        "under no heading: perdida",
        "not a phrase: ..",
        "unknown heading: mood sad",
        "no finding \"nothing\"",
        "there is no level 9",
        "a rule needs a colon",
        "lowers a rule that is not there: sadness",
    ] {
        assert!(told.contains(problem), "{problem} in {told}");
    }
}

#[test]
fn what_is_not_understood_is_minor_and_pain_is_moderate() {
    assert_eq!(level(""), 2);
    assert_eq!(level("🦷"), 2);
    assert_eq!(level("lorem ipsum"), 2);
    assert_eq!(level("xyzzy me duele plugh"), 3);
    assert!(assess("lorem ipsum", Language::Es).reasons.is_empty());
}

#[test]
fn what_is_denied_does_not_count() {
    for (said, denied) in [
        ("me duele la muela", "no me duele la muela"),
        (
            "tengo fiebre y la encía hinchada",
            "la encía hinchada, sin fiebre",
        ),
        (
            "la encía sangra y está inflamada",
            "ni sangra ni está inflamada la encía",
        ),
        ("me cuesta respirar", "no me cuesta respirar"),
        ("trouble breathing", "no trouble breathing"),
        ("dolor, fiebre y pus", "sin dolor, fiebre ni pus"),
        ("sangra la muela", "ya no sangra la muela"),
        ("my gum is swollen", "my gum is not swollen"),
        ("bleeding from the tooth", "stopped bleeding from the tooth"),
        (
            "tengo fiebre y muela picada",
            "muela picada, fiebre no tengo",
        ),
        ("it hurts", "it doesn’t hurt"),
    ] {
        assert!(level(said) > level(denied), "{said} / {denied}");
    }
}

#[test]
fn a_denial_ends_where_it_is_not_understood() {
    for text in [
        "no me duele, tengo la cara hinchada",
        "no me duele se me hinchó la cara",
        "no sé qué hacer, la cara se me hinchó",
        "no, la cara se me hinchó",
        "no fui ayer y la cara se me hinchó",
        "no tengo seguro cara hinchada",
        "no me duele pero la cara está hinchada",
        "no pain but my face is swollen",
        // "Cerró" sounds like "cero", but a denial is read only as it stands.
        "el ojo se me cerró de lo inflamado",
    ] {
        assert!(level(text) >= 4, "{text}");
    }
    assert_eq!(level("me duele la muela, no tengo seguro"), 3);
    assert_eq!(level("me duele la muela, ¿no?"), 3);
}

#[test]
fn a_no_inside_a_phrase_denies_nothing() {
    assert_eq!(level("no para de sangrar"), 5);
    assert_eq!(level("no puedo respirar"), 5);
    assert_eq!(level("won't stop bleeding"), 5);
    assert!(level("no aguanto el dolor") >= 4);
    assert!(level("no se me quita el dolor con nada") >= 4);
    assert_eq!(level("no tengo mucho dolor de muela"), 3, "there is some");
}

#[test]
fn chat_spelling_and_slips_are_read() {
    for (typed, meant) in [
        ("m duele la mla", "me duele la muela"),
        ("tngo la cara inchada", "tengo la cara hinchada"),
        ("toy sangrando sin parar", "estoy sangrando sin parar"),
        ("la ensia imflamada", "la encía inflamada"),
        ("dlor orrible d muela", "dolor horrible de muela"),
        ("me dueleeee muchooo", "me duele mucho"),
        (
            "no puedo respirar.se me cierra la garganta",
            "no puedo respirar. se me cierra la garganta",
        ),
        ("i cant breath", "i can't breathe"),
        (
            "NIÑO CON FIEBRE Y ENCÍA HINCHADA",
            "nino con fiebre y encia hinchada",
        ),
        (
            "tengo fievre y me duele la muela",
            "tengo fiebre y me duele la muela",
        ),
    ] {
        assert_eq!(level(typed), level(meant), "{typed}");
        assert!(level(typed) >= 3, "{typed}");
    }
}

#[test]
fn ordinary_words_are_not_taken_for_misspelled_signs() {
    for text in [
        "¿me hacen factura?",
        "¿cuánto sale sacarse una muela?",
        "vivo encima de la clínica",
        "prefiero pagar en dólares",
        "quiero una limpieza profunda",
        "son tres personas y la banqueta está libre",
        "¿de qué color quedan?",
        "Ana Guzmán 999888777",
        "soy Gustavo, limpieza el lunes a las 3",
        "soy Gus Roa",
    ] {
        assert!(level(text) <= 2, "{text}: {:?}", rules(text));
    }
}

#[test]
fn numbers_are_read() {
    assert_eq!(level("dolor 8/10"), 4);
    assert_eq!(level("del 1 al 10 es un 9"), 4);
    assert_eq!(level("dolor nivel ocho"), 4);
    assert_eq!(level("pain is 7 out of 10"), 4);
    assert_eq!(level("dolor 5 de 10"), 3);
    assert_eq!(level("dolor 2/10"), 2);
    assert_eq!(level("0/10"), 2);
    assert_eq!(level("me duele la muela y tengo 38,5"), 4);
    assert_eq!(level("me duele la muela y tengo 38 años"), 3);
    assert_eq!(level("me duele la muela, pagué 38.50"), 3);
    assert_eq!(level("le duele la muela, es de 8 años"), 4, "a child");
    assert_eq!(level("me duele la muela hace 8 años"), 3);
    assert_eq!(level("nivel 8 dias"), 2);
}

#[test]
fn a_patient_at_risk_is_seen_sooner_when_something_is_acute() {
    for who in [
        "estoy embarazada",
        "soy diabético",
        "tomo anticoagulantes",
        "I am on chemo",
    ] {
        assert_eq!(level(&format!("{who}, me duele la muela")), 4, "{who}");
        assert!(level(&format!("{who}, quiero una limpieza")) <= 2, "{who}");
        assert_eq!(
            level(&format!("{who}, dolor insoportable de muela")),
            4,
            "{who}"
        );
    }
    assert_eq!(level("no estoy embarazada, me duele la muela"), 3);
    assert!(rules("soy diabético y me duele la muela").contains(&"patient at risk".to_owned()));
}

#[test]
fn what_helps_lowers_pain_and_nothing_else() {
    assert_eq!(level("me duele mucho la muela"), 4);
    assert_eq!(
        level("me duele mucho la muela pero se me quita con paracetamol"),
        3
    );
    assert_eq!(
        level("me duele mucho la muela y no se me quita con paracetamol"),
        4
    );
    assert_eq!(level("no puedo respirar, se me quita con paracetamol"), 5);
    assert_eq!(
        level("cara hinchada, el dolor se me quita con paracetamol"),
        4
    );
}

#[test]
fn a_milk_tooth_is_no_emergency_and_a_permanent_one_is() {
    assert_eq!(level("se le cayó un diente de leche"), 2);
    assert!(level("se le cayó un diente") >= 4);
    assert_eq!(level("un diente permanente se le cayó"), 5);
    assert_eq!(level("con el golpe se le cayó el diente"), 5);
    assert_eq!(level("se me cayó la corona del diente"), 2);
}

#[test]
fn reasons_name_the_rules_and_the_words() {
    let assessment = assess("Tengo la CARA hinchada y me duele", Language::Es);
    let levels: Vec<Level> = assessment.reasons.iter().map(|r| r.level).collect();
    assert!(levels.is_sorted_by(|a, b| a >= b));
    assert_eq!(assessment.reasons[0].rule, "swollen face");
    assert_eq!(assessment.reasons[0].found, ["hinchada", "cara"]);
    assert!(assessment.should_escalate);
}

#[test]
fn recommendations_are_short_and_in_the_language_asked_for() {
    let texts = [
        "quiero una limpieza",
        "lorem",
        "me duele",
        "me duele mucho",
        "me ahogo",
    ];
    for (text, wanted) in texts.iter().zip(1..) {
        let es = assess(text, Language::Es);
        let en = assess(text, Language::En);
        assert_eq!(u8::from(es.level), wanted, "{text}");
        assert_eq!(es.level, en.level);
        assert_ne!(es.recommendation, en.recommendation);
        for recommendation in [es.recommendation, en.recommendation] {
            assert!(
                (40..=400).contains(&recommendation.chars().count()),
                "{recommendation}"
            );
        }
    }
    let tooth = "con el golpe se me cayó un diente permanente";
    let es = assess(tooth, Language::Es).recommendation;
    assert!(
        es.contains("urgencias") && es.contains("leche") && es.contains("corona"),
        "{es}"
    );
    let en = assess(tooth, Language::En).recommendation;
    assert!(
        en.contains("emergency number") && en.contains("milk"),
        "{en}"
    );
    assert!(
        assess("no para de sangrar", Language::Es)
            .recommendation
            .contains("gasa")
    );
}

#[test]
fn a_sentence_that_was_cut_into_a_list_is_read_whole() {
    let listed = |symptoms: &[&str]| u8::from(assess_symptoms(symptoms, Language::Es).level);
    assert_eq!(listed(&["sangrado"]), 3);
    for cut in [
        &["sangrado", "desde ayer", "no para"][..],
        &["me sangra la encía", "no para"],
        &["bleeding", "won't stop"],
    ] {
        assert!(listed(cut) >= 4, "{cut:?}");
        assert!(level(&cut.join(" ")) >= 4, "{cut:?}");
    }
    // One symptom still denies no other.
    assert_eq!(listed(&["no tengo fiebre", "sangrado"]), 3);
    assert_eq!(listed(&["limpieza", "no para hoy"]), 1);
}

#[test]
fn a_level_travels_as_a_number() {
    assert_eq!(serde_json::to_string(&Level::Urgent).unwrap(), "4");
    assert_eq!(
        serde_json::from_str::<Level>("5").unwrap(),
        Level::Emergency
    );
    assert!(serde_json::from_str::<Level>("6").is_err());
    assert!(serde_json::from_str::<Level>("0").is_err());
}

#[test]
fn a_long_message_is_read_as_far_as_its_bounds() {
    let long = "hinchado dolor cuello no ".repeat(100_000);
    assert_eq!(level(&long), 5);
    let repeated = format!("{}me ahogo", "dolor de muela ".repeat(200));
    assert_eq!(level(&repeated), 5, "what comes after a repetition counts");
    let late = format!("{}me ahogo", "a ".repeat(MAX_CHARS));
    assert_eq!(level(&late), 2, "it is not read that far");
    let symptoms = vec!["dolor"; 100_000];
    assert_eq!(u8::from(assess_symptoms(&symptoms, Language::Es).level), 3);
}

#[test]
fn what_is_denied_or_only_a_way_of_speaking_is_no_alarm() {
    for text in [
        "no tengo ni dolor en el pecho ni fiebre",
        "ni dolor en el pecho ni fiebre",
        "no me duele el pecho, quiero un chequeo",
        "no tengo fiebre ni dolor de pecho",
        "me muero de hambre",
        "me muero por un blanqueamiento",
        "la sala está sin aire acondicionado",
    ] {
        assert!(level(text) < 4, "{text}: {:?}", rules(text));
    }
    for text in [
        "me duele el pecho",
        "siento algo en el pecho",
        "no me duele la muela pero tengo opresión en el pecho",
        // What is denied of one place says nothing of another.
        "no me duele la muela pero siento algo raro en el pecho",
        "siento el pecho raro, dolor no tengo",
        "me quedé sin aire",
        "me muero del dolor",
    ] {
        assert!(level(text) >= 4, "{text}: {:?}", rules(text));
    }
}

/// What is told in the middle of other things, by whoever is too frightened to put it as the books do.
#[test]
fn a_danger_to_life_is_an_emergency_however_it_is_put() {
    for (wanted, text) in [
        (5, "mi papá se cayó y no se mueve"),
        (5, "se le paro el corazon a mi papa"),
        (5, "mi papa echa espuma por la boca"),
        (5, "le dieron un balazo a mi primo"),
        (5, "mordio una culebra a mi hijo"),
        (5, "tengo ganas de tirarme del puente"),
        (5, "my dad just fell and is not moving"),
        (5, "no paro de sangrar hace 3 horas"),
        (5, "no he parado de sangrar desde la mañana"),
        (4, "me trague una lima de endodoncia"),
        (5, "me arde el pecho y sudo frio"),
        (5, "se atoro con un mani y no puede toser"),
        (5, "no tiene pulso"),
        (5, "me apuñalaron"),
        (5, "me dispararon"),
        (5, "atake al corason"),
        (5, "i took 30 ibuprofen"),
        (5, "me tomé veinte clonazepam"),
        (5, "mi tio quedó privado"),
        (5, "he is unresponsive"),
        (5, "se quemó con la estufa mi niña"),
        (5, "estoy pariendo"),
        (5, "está confundida, no sabe donde está"),
        (5, "I want to end it all tonight"),
        (5, "me voy a colgar"),
        (5, "ya me despedí de todos, hoy se acaba"),
        (5, "i feel like dying"),
        (5, "quiero desaparecer del mundo"),
        (5, "I cant go on anymore"),
        (5, "mi hija dice que se quiere morir"),
        (5, "mi ex me amenazó con matarme"),
        (5, "ya no quiero seguir viviendo"),
        (5, "llevo vomitando sangre"),
        (5, "chocaron afuera hay heridos"),
        (5, "me asaltaron en la puerta"),
        (5, "se le cae la cara de un lado y no puede hablar"),
        (5, "his face is drooping and he cant speak"),
        (5, "my husband's heart stopped"),
        (5, "mi hermano se ahorcó"),
        (5, "se cortó las muñecas"),
        (5, "tengo las pastillas en la mano"),
        (5, "my wife is giving birth in the car"),
        (5, "le cayó agua hirviendo al bebé"),
        (5, "una señora se desvaneció en su sala de espera"),
        (5, "se desmayó mi mamá"),
        (5, "estoy en el puente y voy a saltar"),
        (5, "quiero dormir y no despertar"),
        (5, "secuestraron a mi hermano"),
        (5, "se cayó a la alberca mi niño"),
        (5, "se amputó un dedo"),
        (5, "tengo 8 meses y estoy sangrando"),
        (5, "my father cant speak and his arm is weak"),
    ] {
        assert!(level(text) >= wanted, "{text}: {:?}", rules(text));
    }
}

#[test]
fn what_only_sounds_like_a_danger_to_life_is_no_emergency() {
    for text in [
        "el diente no se mueve",
        "a mi hijo se le cayó un diente de leche",
        "me quemé la lengua con el café",
        "mi hijo dice que el bracket no se mueve",
        "quiero una consulta privada",
        "no sé dónde está la clínica",
        "se colgó la llamada",
        "me asaltó una duda",
        "me voy a tirar en la cama",
        "me voy a quitar los brackets",
        "me están siguiendo en instagram",
        "hace 3 meses me sangran las encías",
        "tengo 3 meses con brackets y me sangran las encías",
        "mi papá es amputado y necesita cita",
        "quiero quitarme el puente dental",
        "llevo 3 meses con brackets",
        "quiero un pastel de chocolate",
        "quiero desaparecer las manchas de los dientes",
        "el año pasado me asaltaron y me quedó una cicatriz",
        "mi mamá no responde mis mensajes, ¿le llamaron?",
        "tomo ibuprofeno 600",
        "tengo 30 pastillas de menta",
        "¿me disparo el presupuesto con los brackets?",
        "me desmayé el año pasado con la anestesia, ¿hay problema?",
    ] {
        assert!(level(text) < 5, "{text}: {:?}", rules(text));
    }
}
