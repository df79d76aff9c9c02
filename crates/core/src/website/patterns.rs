//! Which paths of a website are wanted.

use crate::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};

pub const MAX_PATTERNS: usize = 20;
pub const MAX_PATTERN_CHARS: usize = 200;

/// Globs over paths: `*` stands for any characters and `?` for one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathPatterns {
    /// All when empty.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

impl PathPatterns {
    /// Reads what somebody sent, noting what is wrong with it.
    pub fn checked(checks: &mut Checks, include: &[String], exclude: &[String]) -> Self {
        Self {
            include: list(checks, "include", include),
            exclude: list(checks, "exclude", exclude),
        }
    }

    /// Whether a page with this path is wanted.
    #[must_use]
    pub fn wants(&self, path: &str) -> bool {
        let like = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, path));
        (self.include.is_empty() || like(&self.include)) && !like(&self.exclude)
    }

    /// Whether a page with this path must not even be looked at for its links.
    #[must_use]
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.iter().any(|pattern| matches(pattern, path))
    }
}

fn list(checks: &mut Checks, field: &'static str, patterns: &[String]) -> Vec<String> {
    if patterns.len() > MAX_PATTERNS {
        checks.problem(field, Problem::TooMany { max: MAX_PATTERNS });
        return Vec::new();
    }
    let mut clean: Vec<String> = Vec::new();
    for pattern in patterns {
        let pattern = checks.line(field, pattern, MAX_PATTERN_CHARS);
        if !pattern.is_empty() && !pattern.starts_with(['/', '*']) {
            let allowed = "/…, *…".to_owned();
            checks.problem(field, Problem::Unknown { allowed });
        }
        if !clean.contains(&pattern) {
            clean.push(pattern);
        }
    }
    clean
}

/// Whether a glob stands for the whole of a text.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
    stands_for(pattern, text, true)
}

/// The same where a question mark may mean nothing but itself.
///
/// Each part between two stars is looked for once, behind the part before it: its first place is as good
/// as any other. Without question marks that takes as long as reading both texts, whoever wrote them.
pub(super) fn stands_for(pattern: &str, text: &str, any_one: bool) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return begins(pattern, text, any_one) == Some(text.len());
    };
    let Some(mut from) = begins(first, text, any_one) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        let Some(end) = end_of(part, &text[from..], any_one) else {
            return false;
        };
        from += end;
    }
    ends(last, &text[from..], any_one)
}

/// How much of a text a part without stars stands for at its beginning.
fn begins(part: &str, text: &str, any_one: bool) -> Option<usize> {
    let mut left = text.chars();
    for sign in part.chars() {
        if !is_like(sign, left.next()?, any_one) {
            return None;
        }
    }
    Some(text.len() - left.as_str().len())
}

/// Where the first place ends at which a part stands.
fn end_of(part: &str, text: &str, any_one: bool) -> Option<usize> {
    if !any_one || !part.contains('?') {
        return text.find(part).map(|at| at + part.len());
    }
    let mut places = text.char_indices();
    places.find_map(|(at, _)| Some(at + begins(part, &text[at..], any_one)?))
}

fn ends(part: &str, text: &str, any_one: bool) -> bool {
    let mut left = text.chars().rev();
    let mut signs = part.chars().rev();
    signs.all(|sign| left.next().is_some_and(|one| is_like(sign, one, any_one)))
}

fn is_like(sign: char, one: char, any_one: bool) -> bool {
    sign == one || (any_one && sign == '?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_stand_for_whole_paths() {
        for (pattern, path, like) in [
            ("/blog/*", "/blog/a/b", true),
            ("/blog/*", "/blog", false),
            ("/blog*", "/blog", true),
            ("*.pdf", "/a/b.pdf", true),
            ("*.pdf", "/a/b.pdfx", false),
            ("/a?c", "/abc", true),
            ("/a?c", "/ac", false),
            ("/a*b*c", "/axxbyyc", true),
            ("/a*b*c", "/axxbyy", false),
            ("/menú/*", "/menú/día", true),
            ("**", "/", true),
            ("", "", true),
            ("/a", "/ab", false),
            ("*b*", "/abc", true),
            ("/*/?/*.html", "/a/xx/b/c.html", true),
            ("/*/?/*.html", "/a/xx/bb/c.html", false),
            ("*aa", "/aaa", true),
            ("/a*a", "/a", false),
            ("*ñ?z", "/año/ñuz", true),
        ] {
            assert_eq!(matches(pattern, path), like, "{pattern} {path}");
        }
        // What makes other matchers take for ever.
        let path = "a".repeat(2000);
        assert!(!matches(&format!("{}b", "*a".repeat(100)), &path));
    }

    #[test]
    fn what_is_excluded_is_not_wanted_even_when_it_is_included() {
        let patterns = PathPatterns {
            include: vec!["/es/*".to_owned()],
            exclude: vec!["*/privado/*".to_owned()],
        };
        assert!(patterns.wants("/es/precios"));
        assert!(!patterns.wants("/en/prices"));
        assert!(!patterns.wants("/es/privado/x"));
        assert!(PathPatterns::default().wants("/lo-que-sea"));
    }

    #[test]
    fn patterns_are_bounded() {
        let check = |patterns: &[String]| {
            let mut checks = Checks::new();
            PathPatterns::checked(&mut checks, patterns, &[]);
            checks.finish().is_ok()
        };
        assert!(check(&["/a/*".to_owned(), "*.html".to_owned()]));
        assert!(!check(&["a/*".to_owned()]));
        assert!(!check(&[format!("/{}", "a".repeat(200))]));
        assert!(!check(&vec!["/a".to_owned(); 21]));
    }
}
