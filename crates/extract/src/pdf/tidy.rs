//! The text of a page as it is kept.

/// A page with fewer letters and signs than this is too short to judge.
const FEWEST_TO_JUDGE: usize = 40;

/// Puts together the words that a line end has cut, and takes away the space that only held
/// columns apart.
pub(crate) fn page(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut blank_lines = 0;
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() {
            blank_lines += 1;
            continue;
        }
        if !tidy.is_empty() {
            if blank_lines == 0 && ends_in_cut_word(&tidy) && line.starts_with(char::is_lowercase) {
                tidy.pop();
            } else {
                tidy.push_str(if blank_lines == 0 { "\n" } else { "\n\n" });
            }
        }
        blank_lines = 0;
        push_line(&mut tidy, line);
    }
    tidy
}

/// Whether this is what comes out of fonts that do not say which letters their shapes are: signs
/// where letters and figures should be.
pub(super) fn is_garbled(text: &str) -> bool {
    let mut letters = 0;
    let mut signs = 0;
    let mut last = ' ';
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        // Rows of dots and lines of dashes count once.
        if letter != last {
            if letter.is_alphanumeric() && !is_private(letter) {
                letters += 1;
            } else {
                signs += 1;
            }
        }
        last = letter;
    }
    letters + signs >= FEWEST_TO_JUDGE && signs > letters
}

/// A sign that only its own font knows.
fn is_private(letter: char) -> bool {
    matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{fffd}')
}

fn ends_in_cut_word(text: &str) -> bool {
    let mut letters = text.chars().rev();
    matches!(letters.next(), Some('-' | '\u{ad}')) && letters.next().is_some_and(char::is_lowercase)
}

fn push_line(tidy: &mut String, line: &str) {
    let mut spaces = 0;
    for letter in line.chars() {
        match letter {
            ' ' | '\t' | '\u{a0}' => spaces += 1,
            // Marks of invisible cuts and of nothing at all; a control character is neither seen
            // nor searched for.
            '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
            _ if letter.is_control() => {}
            _ => {
                // Two spaces still tell columns from words.
                tidy.push_str(["", " ", "  "][spaces.min(2)]);
                spaces = 0;
                tidy.push(letter);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_joined_and_columns_stay_apart() {
        let text = "  Devo-\nlución   del   pago \n\n\n\nLima-\nPerú\nvein\u{ad}te\n-\nfin";
        assert_eq!(
            page(text),
            "Devolución  del  pago\n\nLima-\nPerú\nveinte\n-\nfin"
        );
    }

    #[test]
    fn signs_instead_of_letters_are_noticed_and_tables_are_not() {
        assert!(is_garbled(&"% &! +) ab $#' ".repeat(9)));
        assert!(is_garbled(&"\u{fffd}\u{e001}a".repeat(30)));
        assert!(!is_garbled(&"Limpieza ........... 45,00 €\n".repeat(9)));
        assert!(!is_garbled(&"+34 (91) 555-01-02 | 12/05/2025\n".repeat(9)));
        assert!(!is_garbled("— * —"));
    }

    proptest! {
        #[test]
        fn no_letter_is_lost_and_tidying_twice_changes_nothing(text in "[a-zA-Zñ \n\t0-9.]{0,200}") {
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let once = page(&text);
            prop_assert_eq!(letters(&once), letters(&text));
            prop_assert_eq!(page(&once), once);
        }
    }
}
