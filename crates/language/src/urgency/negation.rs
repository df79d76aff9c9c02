//! What a message denies: "no me duele", "sin fiebre ni pus", "ya no sangra".
//!
//! A denial reaches from its word over small words to the first thing that can be denied, and on to
//! the next one only over "ni", "o" and their like. Whatever else stands in between ends it, so that
//! what is not understood is never denied.

use super::findings::Finding;
use super::table::{Kind, Table};
use super::words::{Pause, Word};

/// Verbs that a denial may follow its noun with: "fiebre no tengo".
const HAVING: &[&str] = &["tengo", "tiene", "hay", "siento", "presento", "presenta"];

/// Strengths that leave their sign standing when they are denied.
const STRONG: &[&str] = &["severe", "dreadful"];

/// Marks the findings that are denied. A strength that is denied becomes a moderate one and leaves its
/// sign standing: who has "no mucho dolor" has some. Pain that is denied is worth knowing too.
pub(super) fn deny(words: &[Word], findings: &mut [Finding], table: &Table) {
    let mut denied = vec![false; findings.len()];
    let mut weakened = vec![false; findings.len()];
    for denial in findings.iter().filter(|f| f.kind == Kind::Denial) {
        let reach = reach(denial, words, findings, table);
        for index in reach.denied {
            denied[index] = true;
        }
        for index in reach.weakened {
            weakened[index] = true;
        }
        if let Some(index) = denied_before(denial, words, findings) {
            denied[index] = true;
        }
    }
    for (index, finding) in findings.iter_mut().enumerate() {
        let instead = match finding.name.as_str() {
            _ if weakened[index] => table.finding("moderate"),
            "pain" if denied[index] => table.finding("painless"),
            _ => None,
        };
        match instead {
            Some(instead) => *finding = Finding::new(instead, finding.words.clone(), table),
            None => finding.denied = denied[index] || weakened[index],
        }
    }
}

#[derive(Default)]
struct Reach {
    denied: Vec<usize>,
    weakened: Vec<usize>,
}

fn reach(denial: &Finding, words: &[Word], findings: &[Finding], table: &Table) -> Reach {
    let mut reach = Reach::default();
    // Behind a comma a list may go on, which only its last member tells: "sin dolor, fiebre ni pus".
    let mut maybe: Vec<usize> = Vec::new();
    let mut in_list = false;
    let mut last_sign: Option<usize> = None;
    let start = denial.last() + 1;
    for (at, word) in words.iter().enumerate().skip(start) {
        match word.pause {
            Pause::Full => break,
            Pause::Short if at == start => break,
            Pause::Short => {
                in_list = true;
                last_sign = None;
            }
            Pause::None => {}
        }
        if table.is_joining(&word.text) {
            reach.denied.append(&mut maybe);
            in_list = false;
            last_sign = None;
            continue;
        }
        let (mut begins_here, mut ends_here) = (false, false);
        for (index, finding) in findings.iter().enumerate() {
            if finding.first() != at {
                continue;
            }
            match (finding.kind, last_sign) {
                (Kind::Site, _) => begins_here = true,
                (Kind::Intensity, _) if STRONG.contains(&finding.name.as_str()) => {
                    match last_sign {
                        Some(sign) => reach.denied.retain(|&denied| denied != sign),
                        // "No mucho dolor": the sign that follows is there, only less of it.
                        None => ends_here = true,
                    }
                    reach.weakened.push(index);
                    begins_here = true;
                }
                (Kind::Denial | Kind::Nothing, _) => return reach,
                (_, Some(sign)) if findings[sign].first() != at => return reach,
                _ => {
                    if in_list {
                        maybe.push(index);
                    } else {
                        reach.denied.push(index);
                    }
                    last_sign = Some(index);
                    begins_here = true;
                }
            }
        }
        if ends_here {
            break;
        }
        let inside = reach.denied.iter().chain(&maybe).any(|&index| {
            let finding = &findings[index];
            (finding.first()..=finding.last()).contains(&at)
        });
        if !begins_here && !inside && !table.is_between(&word.text) {
            break;
        }
    }
    reach
}

/// The sign that a denial stands behind: "fiebre no tengo", "hinchazón no, pero…". The thought must
/// end there, since in "me duele, no tengo seguro" nothing is denied, and in "duele, ¿no?" neither.
fn denied_before(denial: &Finding, words: &[Word], findings: &[Finding]) -> Option<usize> {
    let after = |at: usize| words.get(denial.last() + at);
    let having = after(1)
        .is_some_and(|word| word.pause == Pause::None && HAVING.contains(&word.text.as_str()));
    let ends = if having {
        after(2).is_none_or(|word| word.pause != Pause::None)
    } else {
        after(1).is_some_and(|word| word.pause == Pause::Short)
    };
    if !ends || words[denial.first()].pause != Pause::None {
        return None;
    }
    findings
        .iter()
        .position(|f| f.kind == Kind::Sign && f.last() + 1 == denial.first())
}
