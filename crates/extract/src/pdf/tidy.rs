//! The text of a page as it is kept.

/// A page with fewer letters and signs than this is too short to judge.
const FEWEST_TO_JUDGE: usize = 40;

/// A block that is narrower than this is a list or a column of figures, and no prose.
const NARROWEST_PROSE: usize = 35;
/// Rows of a table are seldom wider than this, lines of prose often are.
const WIDER_THAN_ROWS: usize = 60;
/// Letters differ in width: a line is full from nine tenths of the most letters on.
const FULL: usize = 9;
const OF_WIDEST: usize = 10;

/// Puts together the words that a line end has cut and the sentences that go on in the next line, and
/// takes away the space that only held columns apart. What stands in a line of its own stays there.
pub(crate) fn page(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut block: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim).chain([""]) {
        if !line.is_empty() {
            block.push(line);
        } else if !block.is_empty() {
            if !tidy.is_empty() {
                tidy.push_str("\n\n");
            }
            push_block(&mut tidy, &block);
            block.clear();
        }
    }
    tidy
}

/// Lines with nothing between them.
fn push_block(tidy: &mut String, lines: &[&str]) {
    let length = |line: &str| line.chars().count();
    let widest = lines.iter().map(|line| length(line)).max().unwrap_or(0);
    let mut before: Option<&str> = None;
    for line in lines {
        if let Some(before) = before {
            if ends_in_cut_word(before) && line.starts_with(char::is_lowercase) {
                while tidy.ends_with(['-', '\u{ad}']) {
                    tidy.pop();
                }
            } else if goes_on(before, line, widest) {
                tidy.push(' ');
            } else {
                tidy.push('\n');
            }
        }
        push_line(tidy, line);
        before = Some(line);
    }
}

/// Whether a line only ends because its next word had no room in it.
fn goes_on(line: &str, next: &str, widest: usize) -> bool {
    let ended = line.ends_with(['.', '!', '?', ':', ';', '…']);
    if ended || widest < NARROWEST_PROSE || has_columns(line) || has_columns(next) {
        return false;
    }
    let word = next.split_whitespace().next().unwrap_or_default();
    let needed = line.chars().count() + 1 + word.chars().count();
    let full = needed * OF_WIDEST >= widest * FULL;
    let prose = widest >= WIDER_THAN_ROWS && !is_marker(word);
    full && (next.starts_with(char::is_lowercase) || prose)
}

fn has_columns(line: &str) -> bool {
    line.contains("  ") || line.contains('\t')
}

/// What an item of a list begins with: a sign, or a number or letter with one.
fn is_marker(word: &str) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric() && !"¿¡(\"«“$€".contains(c);
    let numbered = word.ends_with(['.', ')']) && word.chars().count() <= 3;
    word.starts_with(is_sign) || numbered
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
    fn a_sentence_goes_on_in_the_next_line() {
        let prose = "Atendemos de lunes a viernes de 9:00 a 19:00 y los sábados de 9:00 a 14:00. Domingos y lunes\n\
            no abrimos, salvo en diciembre. El servicio urgente tiene un recargo del 40 % sobre el precio del\n\
            servicio. El depósito para alquilar una bicicleta de montaña en cualquiera de nuestras sedes es de\n\
            S/ 100, que se devuelve.";
        assert_eq!(page(prose), prose.replace('\n', " "));
    }

    #[test]
    fn what_stands_in_a_line_of_its_own_stays_there() {
        for lines in [
            "Política de garantía\nLa garantía cubre la mano de obra durante 45 días desde que se entrega la bicicleta.",
            "Parchado de llanta S/ 12 20 minutos\nCentrado de aro S/ 25 1 hora\nMantenimiento completo S/ 140 2 días",
            "leche\nhuevos\npan",
            "café con leche\nté verde\njugo de naranja",
            "Para reservar una bicicleta hace falta lo siguiente, que se muestra al llegar al local y se guarda\n\
             - documento de identidad\n2) un depósito de cien soles",
            "Servicio de mantenimiento completo de la bicicleta  S/ 140  2 días hábiles\n\
             Servicio de mantenimiento básico de la bicicleta  S/ 65  1 día hábil",
            "¿Abren los domingos?\nSí.",
        ] {
            assert_eq!(page(lines), lines);
        }
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
        fn no_letter_is_lost_and_no_word_torn(text in "[a-zA-Zñ \n\t0-9.]{0,200}") {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let tidy = page(&text);
            prop_assert_eq!(words(&tidy), words(&text));
            prop_assert!(tidy.lines().all(|line| line == line.trim()));
        }
    }
}
