//! The rules of the table, and the verdict they come to.

use super::findings::Findings;
use super::table::Table;
use super::{Level, Reason};

/// What a rule does when its condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RuleKind {
    /// Gives its level.
    Level,
    /// Makes the verdict one level graver, up to its own.
    Raise,
    /// Has other rules, by name, count no more than its level.
    Lower(Vec<String>),
}

/// Findings that stand near each other; for each, any of several.
type Group = Vec<Vec<usize>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) kind: RuleKind,
    pub(super) name: String,
    level: Level,
    all_of: Vec<Group>,
    none_of: Vec<usize>,
}

impl Rule {
    /// Reads "4 severe pain: pain near severe/agony and fever unless relieved", or one that begins
    /// with "raise to 4" or "lower to 3".
    pub(super) fn read(
        line: &str,
        finding: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Self, String> {
        let (head, condition) = line.split_once(':').ok_or("a rule needs a colon")?;
        let (kind, head) = if let Some(head) = head.strip_prefix("raise to ") {
            (RuleKind::Raise, head)
        } else if let Some(head) = head.strip_prefix("lower to ") {
            (RuleKind::Lower(Vec::new()), head)
        } else {
            (RuleKind::Level, head)
        };
        let (level, name) = head.trim().split_once(' ').ok_or("a rule needs a name")?;
        let number: u8 = level.parse().map_err(|_| "a rule needs a level")?;
        let kind = match kind {
            RuleKind::Lower(_) => RuleKind::Lower(names(name)),
            other => other,
        };
        let known = |name: &str| finding(name).ok_or_else(|| format!("no finding \"{name}\""));
        let any_of = |list: &str| names(list).iter().map(|name| known(name)).collect();
        let (wanted, unwanted) = match condition.split_once(" unless ") {
            Some((wanted, unwanted)) => (wanted, any_of(unwanted)?),
            None => (condition, Vec::new()),
        };
        let group = |group: &str| group.split(" near ").map(any_of).collect();
        Ok(Self {
            kind,
            name: name.to_owned(),
            level: Level::try_from(number)?,
            all_of: wanted.split(" and ").map(group).collect::<Result<_, _>>()?,
            none_of: unwanted,
        })
    }

    /// The findings for which the condition holds, by their place among them.
    fn spoken_for(&self, findings: &Findings) -> Option<Vec<usize>> {
        if self.none_of.iter().any(|&f| findings.contains(f)) {
            return None;
        }
        let mut all = Vec::new();
        for group in &self.all_of {
            all.extend(findings.near_each_other(group)?);
        }
        Some(all)
    }
}

fn names(list: &str) -> Vec<String> {
    list.split('/').map(|name| name.trim().to_owned()).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) level: Level,
    pub(super) reasons: Vec<Reason>,
}

/// Lets every rule speak; the gravest wins. A message of which no rule speaks is minor.
pub(super) fn judge(findings: &Findings, table: &Table) -> Verdict {
    let spoken: Vec<(&Rule, Vec<usize>)> = table
        .rules
        .iter()
        .filter_map(|rule| Some((rule, rule.spoken_for(findings)?)))
        .collect();
    let ceiling = |name: &String| {
        let lowering = spoken.iter().filter(
            |(rule, _)| matches!(&rule.kind, RuleKind::Lower(lowered) if lowered.contains(name)),
        );
        lowering.map(|(rule, _)| rule.level).min()
    };
    let mut reasons: Vec<Reason> = Vec::new();
    let mut level = None;
    for (rule, found) in spoken
        .iter()
        .filter(|(rule, _)| rule.kind == RuleKind::Level)
    {
        let lowered = ceiling(&rule.name).map_or(rule.level, |most| most.min(rule.level));
        level = level.max(Some(lowered));
        reasons.push(reason(rule, lowered, found, findings));
    }
    let mut level = level.unwrap_or(Level::Minor);
    for (rule, found) in spoken
        .iter()
        .filter(|(rule, _)| rule.kind == RuleKind::Raise)
    {
        let graver = Level::try_from(u8::from(level) + 1).unwrap_or(level);
        if level < rule.level && graver <= rule.level {
            level = graver;
            reasons.push(reason(rule, level, found, findings));
            break;
        }
    }
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.level));
    reasons.dedup_by(|a, b| a.rule == b.rule);
    Verdict { level, reasons }
}

fn reason(rule: &Rule, level: Level, found: &[usize], findings: &Findings) -> Reason {
    let mut words: Vec<String> = Vec::new();
    for text in found.iter().map(|&index| findings.text(index)) {
        if !words.contains(&text) {
            words.push(text);
        }
    }
    Reason {
        rule: rule.name.clone(),
        level,
        found: words,
    }
}
