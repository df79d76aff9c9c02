//! The report as people read it.

use super::{Figure, PartReport, RecallRow, Report, Target, Unit};
use crate::plan::Data;
use std::fmt;

const LEFT: usize = 58;
const COLUMN: usize = 20;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine = &self.machine;
        writeln!(
            f,
            "quipu {} ({} build); {}, {} cores, {} MiB, {} {}",
            self.version,
            machine.build,
            machine.processor,
            machine.cores,
            machine.memory_mib,
            machine.system,
            machine.architecture
        )?;
        for part in &self.parts {
            write!(f, "\n{part}")?;
        }
        Ok(())
    }
}

impl fmt::Display for PartReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({:.0} s)", self.part, self.seconds)?;
        for line in &self.about {
            writeln!(f, "  {line}")?;
        }
        for figure in &self.figures {
            writeln!(f, "{figure}")?;
        }
        let mut data: Vec<Data> = Vec::new();
        for row in &self.recall {
            if !data.contains(&row.data) {
                data.push(row.data);
            }
        }
        for data in data {
            let rows = self.recall.iter().filter(|row| row.data == data);
            write_recall(f, data, &rows.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, unit, .. } = self;
        write!(f, "  {name:<LEFT$} {:>14}", unit.show(self.value))?;
        if let Some(target) = self.target {
            let target = match target {
                Target::AtMost(most) => format!("≤ {}", unit.show(most)),
                Target::AtLeast(least) => format!("≥ {}", unit.show(least)),
            };
            let mark = if self.met == Some(true) {
                "met"
            } else {
                "MISSED"
            };
            write!(f, "   {target:<14} {mark}")?;
        }
        Ok(())
    }
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Microseconds => format!("{value:.1} µs"),
            Self::Milliseconds => format!("{value:.2} ms"),
            Self::Seconds => format!("{value:.1} s"),
            Self::PerSecond => format!("{value:.1} /s"),
            Self::Times => format!("{value:.2} ×"),
            Self::Share => format!("{value:.3}"),
            Self::Mebibytes => format!("{value:.1} MiB"),
            Self::Count => format!("{value:.0}"),
        }
    }
}

/// Knowledge bases below each other, engines side by side.
fn write_recall(f: &mut fmt::Formatter<'_>, data: Data, rows: &[&RecallRow]) -> fmt::Result {
    let mut engines: Vec<&str> = Vec::new();
    let mut sizes: Vec<(u64, f64)> = Vec::new();
    for row in rows {
        if !engines.contains(&row.engine.as_str()) {
            engines.push(&row.engine);
        }
        if !sizes.iter().any(|(vectors, _)| *vectors == row.vectors) {
            sizes.push((row.vectors, row.share));
        }
    }
    writeln!(f, "\n  recall@10 and p50; {}", data.as_str())?;
    for (number, engine) in engines.iter().enumerate() {
        writeln!(f, "    ({}) {engine}", number + 1)?;
    }
    write!(f, "  {:<26}", "vectors")?;
    for number in 1..=engines.len() {
        write!(f, "{:>COLUMN$}", format!("({number})"))?;
    }
    writeln!(f)?;
    for (vectors, share) in sizes {
        let size = format!("{vectors} ({:.1} %)", share * 100.0);
        write!(f, "  {size:<26}")?;
        for engine in &engines {
            let row = rows
                .iter()
                .find(|row| row.engine == *engine && row.vectors == vectors);
            let cell = row.map_or_else(
                || "-".to_owned(),
                |row| {
                    // An asterisk where the planner chose to look at every row instead.
                    let mark = if row.uses_index == Some(false) {
                        "*"
                    } else {
                        ""
                    };
                    format!("{:.3}{mark} {:>7.2} ms", row.recall_at_10, row.p50_ms)
                },
            );
            write!(f, "{cell:>COLUMN$}")?;
        }
        writeln!(f)?;
    }
    if rows.iter().any(|row| row.uses_index == Some(false)) {
        writeln!(
            f,
            "  * the plan (EXPLAIN) does not use the index; without a mark, it does"
        )?;
    }
    Ok(())
}
