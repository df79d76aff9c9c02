//! What a website asks of programs that read it: `robots.txt`, as RFC 9309 has it.

use super::patterns::stands_for;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The name by which a site may mean this program.
pub const ROBOTS_AGENT: &str = "quipu";
/// A site may ask for longer pauses than anybody would wait.
pub const LONGEST_DELAY: Duration = Duration::from_secs(10);

const MOST_RULES: usize = 2_000;
const LONGEST_RULE: usize = 1_024;
const MOST_SITEMAPS: usize = 20;
const LONGEST_SITEMAP: usize = 2_048;

/// What may be read of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsRules {
    /// Whether each pattern allows, in the order of the file.
    rules: Vec<(bool, String)>,
    /// Milliseconds between two requests.
    delay: u64,
    pub sitemaps: Vec<String>,
}

/// Whom a group of lines is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct GroupReaders {
    us: bool,
    everybody: bool,
}

#[derive(Default)]
struct GroupRules {
    rules: Vec<(bool, String)>,
    delay: u64,
    named: bool,
}

impl RobotsRules {
    /// Reads the file. What nobody understands in it is passed over.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut sitemaps = Vec::new();
        let (mut ours, mut everybodys) = (GroupRules::default(), GroupRules::default());
        let mut readers = GroupReaders::default();
        let mut naming = false;
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            // No address has such a sign, and not every database keeps one.
            if value.contains(char::is_control) {
                continue;
            }
            if key == "user-agent" {
                // Agents that are named one after the other share what follows.
                if !naming {
                    readers = GroupReaders::default();
                }
                naming = true;
                let name = value.split('/').next().unwrap_or_default().trim();
                readers.us |= name.eq_ignore_ascii_case(ROBOTS_AGENT);
                readers.everybody |= name == "*";
                ours.named |= readers.us;
                continue;
            }
            if key == "sitemap" {
                if sitemaps.len() < MOST_SITEMAPS && value.len() <= LONGEST_SITEMAP {
                    sitemaps.push(value.to_owned());
                }
                continue;
            }
            naming = false;
            for (wanted, group) in [
                (readers.us, &mut ours),
                (readers.everybody, &mut everybodys),
            ] {
                if wanted {
                    group.take(&key, value);
                }
            }
        }
        // What is said to us alone is all that is said to us.
        let group = if ours.named { ours } else { everybodys };
        Self {
            rules: group.rules,
            delay: group.delay,
            sitemaps,
        }
    }

    /// Whether a path, with its query, may be read. The longest rule counts, and of two that are as
    /// long the one that allows.
    #[must_use]
    pub fn allow(&self, path: &str) -> bool {
        let longest = self
            .rules
            .iter()
            .filter(|(_, pattern)| covers(pattern, path))
            .max_by_key(|(allowed, pattern)| (pattern.len(), *allowed));
        longest.is_none_or(|(allowed, _)| *allowed)
    }

    /// How long to wait between two requests.
    #[must_use]
    pub fn delay(&self) -> Duration {
        Duration::from_millis(self.delay).min(LONGEST_DELAY)
    }
}

impl GroupRules {
    fn take(&mut self, key: &str, value: &str) {
        match key {
            // An empty rule forbids nothing.
            "allow" | "disallow" if value.is_empty() => {}
            "allow" | "disallow"
                if self.rules.len() < MOST_RULES && value.len() <= LONGEST_RULE =>
            {
                self.rules.push((key == "allow", value.to_owned()));
            }
            "crawl-delay" => {
                let seconds = value.parse().unwrap_or(0.0_f64);
                let asked = Duration::try_from_secs_f64(seconds.clamp(0.0, 3_600.0));
                let asked = asked.unwrap_or_default().as_millis();
                self.delay = u64::try_from(asked).unwrap_or(0);
            }
            _ => {}
        }
    }
}

/// Whether a rule is about a path: it stands for its beginning, `*` for anything, `$` for the end.
fn covers(rule: &str, path: &str) -> bool {
    match rule.strip_suffix('$') {
        Some(whole) => stands_for(whole, path, false),
        None if !rule.contains('*') => path.starts_with(rule),
        None => stands_for(&format!("{rule}*"), path, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_for_us_counts_before_that_for_everybody() {
        let rules = RobotsRules::parse(
            "User-agent: *\nDisallow: /\n\nUser-agent: OtherBot\nUser-agent: Quipu/1.0\n\
             Disallow: /privado # nadie\nAllow: /privado/carta\nCrawl-delay: 2.5\n\
             Sitemap: https://ejemplo.com/mapa.xml\n",
        );
        assert!(rules.allow("/"));
        assert!(!rules.allow("/privado"));
        assert!(!rules.allow("/privado/x"));
        assert!(rules.allow("/privado/carta?dia=1"));
        assert_eq!(rules.delay(), Duration::from_millis(2_500));
        assert_eq!(rules.sitemaps, ["https://ejemplo.com/mapa.xml"]);
    }

    #[test]
    fn everybodys_rules_are_ours_when_we_are_not_named() {
        let rules = RobotsRules::parse(
            "User-agent: *\nDisallow: /*.pdf$\nDisallow: /buscar?\nAllow:\nCrawl-delay: 900\n\
             User-agent: Otro\nDisallow: /\n",
        );
        assert!(!rules.allow("/a/b.pdf"));
        assert!(rules.allow("/a/b.pdf?x=1"));
        assert!(!rules.allow("/buscar?q=1"));
        assert!(rules.allow("/buscar/x"));
        assert!(rules.allow("/"));
        assert_eq!(rules.delay(), LONGEST_DELAY);
    }

    #[test]
    fn groups_of_one_agent_are_one_and_rubbish_is_passed_over() {
        let rules = RobotsRules::parse(
            "\u{feff}user-agent: quipu\ndisallow: /a\n\nuser-agent: quipu\ndisallow: /b\n<html>\n: x\n\
             crawl-delay: -3\n",
        );
        assert!(!rules.allow("/a") && !rules.allow("/b") && rules.allow("/c"));
        assert_eq!(rules.delay(), Duration::ZERO);
        assert_eq!(RobotsRules::parse("\0\u{1}"), RobotsRules::default());
        assert!(RobotsRules::default().allow("/lo-que-sea"));
    }

    #[test]
    fn a_file_that_is_made_to_take_long_does_not() {
        let rule = format!("Disallow: /*{}b\n", "a".repeat(480));
        let rules = RobotsRules::parse(&format!("User-agent: *\n{}", rule.repeat(1_000)));
        let path = format!("/{}", "a".repeat(1_000));
        let (done, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let allowed = (0..100).all(|_| rules.allow(&path));
            done.send(allowed)
        });
        assert_eq!(ended.recv_timeout(Duration::from_secs(10)), Ok(true));
    }

    #[test]
    fn what_no_address_has_is_no_rule() {
        let rules = "User-agent: *\nDisallow: /a\0b\nDisallow: /c\nSitemap: https://e.com/\0\n";
        let rules = RobotsRules::parse(rules);
        assert!(rules.allow("/a") && !rules.allow("/c"));
        assert!(rules.sitemaps.is_empty());
    }

    #[test]
    fn of_two_rules_that_are_as_long_the_one_that_allows_counts() {
        let rules = RobotsRules::parse("User-agent: *\nDisallow: /ab\nAllow: /ab\n");
        assert!(rules.allow("/abc"));
    }
}
