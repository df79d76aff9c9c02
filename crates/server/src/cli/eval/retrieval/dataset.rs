//! The questions, the passages and which of them belong together, read from files.
//!
//! A dataset is a folder with `docs.jsonl`, `queries.jsonl` and `qrels.tsv`, as BEIR has them, or one
//! line of a file of businesses: a business with its passages, with questions that one of them
//! answers, and with questions that none of them does.

use crate::cli::eval::entries::DatasetPart;
use anyhow::{Context, bail};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The grade of the passage that answers a question of a business.
const ANSWERS: u32 = 1;

#[derive(Deserialize)]
pub(super) struct PassageLine {
    pub(super) id: String,
    #[serde(default)]
    pub(super) title: String,
    pub(super) text: String,
}

#[derive(Deserialize)]
pub(super) struct Question {
    pub(super) id: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) kind: Option<String>,
}

pub(super) struct QuestionSet {
    pub(super) name: String,
    pub(super) docs: Vec<PassageLine>,
    pub(super) questions: Vec<Question>,
    /// For each question the grades of its passages.
    pub(super) judged: HashMap<String, HashMap<String, u32>>,
}

/// All datasets of a folder, or those businesses of a file that are of the wanted part.
pub(super) fn read_all(
    path: &Path,
    split: Option<DatasetPart>,
) -> anyhow::Result<Vec<QuestionSet>> {
    if path.is_file() {
        return businesses(path, split);
    }
    if split.is_some() {
        bail!(
            "{} is a folder, and only a file of businesses has parts",
            path.display()
        );
    }
    folders(path)
}

/// A business as it stands in its line.
#[derive(Deserialize)]
struct BusinessLine {
    split: DatasetPart,
    #[serde(rename = "business")]
    name: String,
    passages: Vec<PassageLine>,
    questions: Vec<AnsweredQuestion>,
    #[serde(default)]
    unanswerable: Vec<String>,
}

#[derive(Deserialize)]
struct AnsweredQuestion {
    q: String,
    /// The passage that answers it.
    p: String,
}

fn businesses(file: &Path, split: Option<DatasetPart>) -> anyhow::Result<Vec<QuestionSet>> {
    let all: Vec<BusinessLine> = lines(file)?;
    let wanted = all
        .into_iter()
        .filter(|one| split.is_none_or(|split| one.split == split));
    let datasets: Vec<QuestionSet> = wanted.map(BusinessLine::dataset).collect();
    if datasets.is_empty() {
        bail!("{} has no such business", file.display());
    }
    Ok(datasets)
}

impl BusinessLine {
    fn dataset(self) -> QuestionSet {
        let mut dataset = QuestionSet {
            name: self.name,
            docs: self.passages,
            questions: Vec::new(),
            judged: HashMap::new(),
        };
        let asked = self
            .questions
            .into_iter()
            .map(|asked| (asked.q, Some(asked.p)));
        let unanswerable = self.unanswerable.into_iter().map(|text| (text, None));
        for (number, (text, passage)) in asked.chain(unanswerable).enumerate() {
            let id = number.to_string();
            let kind = if passage.is_some() {
                "answerable"
            } else {
                "unanswerable"
            };
            if let Some(passage) = passage {
                let grades = HashMap::from([(passage, ANSWERS)]);
                dataset.judged.insert(id.clone(), grades);
            }
            let kind = Some(kind.to_owned());
            dataset.questions.push(Question { id, text, kind });
        }
        dataset
    }
}

fn folders(dir: &Path) -> anyhow::Result<Vec<QuestionSet>> {
    if dir.join("docs.jsonl").is_file() {
        return Ok(vec![read(dir)?]);
    }
    let mut folders: Vec<PathBuf> = std::fs::read_dir(dir)
        .with_context(|| format!("{} cannot be read", dir.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("docs.jsonl").is_file())
        .collect();
    folders.sort();
    if folders.is_empty() {
        bail!("there is no docs.jsonl in {} or below it", dir.display());
    }
    folders.iter().map(|folder| read(folder)).collect()
}

fn read(dir: &Path) -> anyhow::Result<QuestionSet> {
    let name = dir.file_name().unwrap_or(dir.as_os_str());
    let mut judged: HashMap<String, HashMap<String, u32>> = HashMap::new();
    let file = dir.join("qrels.tsv");
    let qrels = std::fs::read_to_string(&file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    for line in qrels.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [question, doc, grade] = fields.as_slice() else {
            bail!("{}: a line has not three fields: {line}", file.display());
        };
        let grade: u32 = grade.trim().parse().with_context(|| line.to_owned())?;
        if grade > 0 {
            let of_question = judged.entry((*question).to_owned()).or_default();
            of_question.insert((*doc).to_owned(), grade.min(10));
        }
    }
    Ok(QuestionSet {
        name: name.to_string_lossy().into_owned(),
        docs: lines(&dir.join("docs.jsonl"))?,
        questions: lines(&dir.join("queries.jsonl"))?,
        judged,
    })
}

fn lines<T: for<'de> Deserialize<'de>>(file: &Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            serde_json::from_str(line)
                .with_context(|| format!("{}: a line is wrong: {line:.80}", file.display()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUSINESSES: &str = r#"{"split": "dev", "business": "Clínica", "country": "pe", "lang": "es", "passages": [{"id": "p1", "title": "Horario", "text": "De 9 a 19."}], "questions": [{"q": "a q hora abren", "p": "p1"}], "unanswerable": ["¿venden pan?"]}
{"split": "test", "business": "Panadería", "passages": [], "questions": []}
"#;

    #[test]
    fn businesses_of_one_part_are_read_with_what_none_of_their_passages_answers() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pairs.jsonl");
        std::fs::write(&file, BUSINESSES).unwrap();
        assert_eq!(read_all(&file, None).unwrap().len(), 2);
        let dev = read_all(&file, Some(DatasetPart::Dev)).unwrap();
        let [clinic] = dev.as_slice() else {
            panic!("{} businesses", dev.len());
        };
        assert_eq!((clinic.name.as_str(), clinic.docs.len()), ("Clínica", 1));
        assert_eq!(clinic.judged["0"], HashMap::from([("p1".to_owned(), 1)]));
        assert_eq!(clinic.questions[1].text, "¿venden pan?");
        assert!(!clinic.judged.contains_key(&clinic.questions[1].id));
        assert!(read_all(&file, Some(DatasetPart::Train)).is_err());
        assert!(read_all(folder.path(), Some(DatasetPart::Dev)).is_err());
    }
}
