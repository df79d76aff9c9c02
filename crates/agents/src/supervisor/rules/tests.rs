use super::*;
use crate::supervisor::spelling::Spelling;
use crate::supervisor::words;

fn found(rules: &Rules, text: &str, context: Context) -> Vec<&'static str> {
    let words = words::read(text, &Spelling::default());
    let message = rules.look_up(&words);
    let found = rules.find(&message, context);
    found.iter().map(|found| found.written).collect()
}

#[test]
fn the_files_can_be_read() {
    let rules = Rules::compiled();
    assert_eq!(rules.problems, Vec::<String>::new());
    for intent in Intent::ALL {
        let named = |rule: &Rule| rule.meaning == Meaning::Intent(*intent);
        assert!(rules.all.iter().any(named), "{}", intent.as_str());
    }
}

#[test]
fn a_file_says_what_is_wrong_with_it() {
    let rules = Rules::read(&[
        "lost\n[pricing]\n[mood 3]\n[pricing 3 garage]\n[list a b]\n[pricing 3]\n.. word, {nothing}, word .., ag*\n",
    ]);
    let told = rules.problems.join("\n");
    for problem in [
        "under no heading: lost",
        "no such heading: pricing",
        "no such heading: mood 3",
        "no such heading: pricing 3 garage",
        "no such heading: list a b",
        "no phrase: .. word",
        "no phrase: {nothing}",
        "no phrase: word ..",
        "no phrase: ag*",
    ] {
        assert!(told.contains(problem), "{problem} is not in:\n{told}");
    }
}

#[test]
fn phrases_are_found_as_they_are_written() {
    let rules = Rules::read(&[
        "[list manners]\nhola gracias ?\n[list day]\nlunes martes\n",
        "[booking 3]\ncita .. {day}, ^ turno, mesa $, agend*, {num} personas\n",
    ]);
    let found = |text| found(&rules, text, Context::default());
    assert_eq!(found("una cita para el lunes"), ["cita .. {day}"]);
    assert_eq!(
        found("una cita para ver al doctor el lunes"),
        [""; 0],
        "too far apart"
    );
    assert_eq!(found("una cita. el lunes"), [""; 0], "another sentence");
    assert_eq!(found("hola turno"), ["^ turno"]);
    assert_eq!(found("quiero turno"), [""; 0]);
    assert_eq!(found("quiero mesa gracias"), ["mesa $"]);
    assert_eq!(found("mesa grande"), [""; 0]);
    assert_eq!(found("agéndame"), ["agend*"]);
    assert_eq!(found("4 personas"), ["{num} personas"]);
}

#[test]
fn rules_count_where_they_are_true() {
    let rules = Rules::read(&["[ordering 3 restaurant]\npastor\n[pricing 3 en]\nsale\n"]);
    let at = |vertical, language| Context {
        vertical,
        language,
        ..Context::default()
    };
    let restaurant = at(Vertical::Restaurant, Language::Es);
    assert_eq!(found(&rules, "pastor en sale", restaurant), ["pastor"]);
    let dental = at(Vertical::Dental, Language::En);
    assert_eq!(found(&rules, "pastor on sale", dental), ["sale"]);
}
