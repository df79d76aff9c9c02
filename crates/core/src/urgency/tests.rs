use super::*;

const SENTENCES: &str = include_str!("tests/sentences.txt");
const MORE_SENTENCES: &str = include_str!("tests/more_sentences.txt");

fn level(text: &str) -> u8 {
    assess(text, Language::Es).level.into()
}

/// The levels and messages of a table of sentences.
fn sentences(table: &str) -> Vec<(u8, &str)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(level, text)| Some((level.parse().ok()?, text)))
        .collect()
}

/// How well the levels fit, and each miss in words.
struct Score {
    exact: usize,
    near: usize,
    all: usize,
    missed_emergencies: Vec<String>,
    misses: Vec<String>,
}

impl Score {
    fn of<'a>(cases: impl IntoIterator<Item = (u8, &'a str)>) -> Self {
        let mut score = Self {
            exact: 0,
            near: 0,
            all: 0,
            missed_emergencies: Vec::new(),
            misses: Vec::new(),
        };
        for (wanted, text) in cases {
            let assessment = assess(text, Language::Es);
            let given = u8::from(assessment.level);
            score.all += 1;
            score.exact += usize::from(given == wanted);
            score.near += usize::from(given.abs_diff(wanted) <= 1);
            if wanted == 5 && given < 4 {
                score.missed_emergencies.push(text.to_owned());
            }
            if given != wanted {
                let rules: Vec<String> = assessment
                    .reasons
                    .iter()
                    .map(|r| format!("{} {} {:?}", u8::from(r.level), r.rule, r.found))
                    .collect();
                score
                    .misses
                    .push(format!("{wanted} was given {given}: {text}\n      {}", rules.join("\n      ")));
            }
        }
        score
    }
}

#[test]
fn the_table_can_be_read() {
    assert_eq!(Table::get().problems, Vec::<String>::new());
}

#[test]
fn the_sentences_are_given_their_levels() {
    let score = Score::of(sentences(SENTENCES).into_iter().chain(sentences(MORE_SENTENCES)));
    for miss in &score.misses {
        println!("{miss}");
    }
    println!("exact {} near {} all {}", score.exact, score.near, score.all);
    assert!(score.all >= 80);
    assert!(score.missed_emergencies.is_empty());
    assert!(score.exact * 100 >= score.all * 90);
    assert!(score.near == score.all);
}

/// Measures a file of lines with `text`, `urgency_level` and `lang`, which is not part of the
/// repository: `QUIPU_URGENCY_FILE=… cargo test -p quipu-core urgency -- --ignored --nocapture`.
#[test]
#[ignore = "reads the file that QUIPU_URGENCY_FILE names"]
fn a_file_of_messages_is_given_its_levels() {
    let path = std::env::var("QUIPU_URGENCY_FILE").expect("QUIPU_URGENCY_FILE names a file");
    let file = std::fs::read_to_string(path).expect("the file can be read");
    let rows: Vec<(u8, String)> = file
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|row| {
            let level = u8::try_from(row["urgency_level"].as_u64()?).ok()?;
            Some((level, row["text"].as_str()?.to_owned()))
        })
        .collect();
    let score = Score::of(rows.iter().map(|(level, text)| (*level, text.as_str())));
    for miss in &score.misses {
        println!("{miss}");
    }
    println!("exact {} near {} all {}", score.exact, score.near, score.all);
    assert!(score.all > 0 && score.missed_emergencies.is_empty());
    assert!(score.exact * 100 >= score.all * 75 && score.near * 100 >= score.all * 97);
}
