use super::table::Table;
use super::*;
use proptest::prelude::*;

fn home(text: &str, country: &str) -> Option<String> {
    normalise(text, Some(country))
}

fn same(texts: &[&str], country: &str, normalised: &str) {
    for text in texts {
        assert_eq!(home(text, country).as_deref(), Some(normalised), "{text}");
    }
}

#[test]
fn the_file_is_read_and_says_what_is_wrong_with_another() {
    assert!(Table::read(include_str!("../../data/phones.toml")).is_ok());
    assert!(Table::read("country = []").is_err());
    let twice = "[[country]]\niso = \"PE\"\ncode = \"51\"\nshapes = [\"9xx\"]\n[others]\ncodes = [\"51 XX 9\"]";
    assert_eq!(
        Table::read(twice).err().as_deref(),
        Some("a code is there twice")
    );
    assert!(Table::read(&twice.replace("9xx", "9yy")).is_err());
    assert!(Table::read(&twice.replace("51 XX 9", "52 MX")).is_err());
}

#[test]
fn mexico_has_one_form() {
    same(
        &[
            "5215512345678",
            "+52 1 55 1234 5678",
            "52 55 1234 5678",
            "55 1234 5678",
            "(55) 1234-5678",
            "01 55 1234 5678",
            "044 55 1234 5678",
            "0052 55 1234 5678",
            "whatsapp:+5215512345678",
        ],
        "MX",
        "525512345678",
    );
    assert_eq!(
        normalise("5215512345678", None).as_deref(),
        Some("525512345678")
    );
    assert_eq!(home("1234 5678", "MX"), None);
}

#[test]
fn argentina_has_one_form_for_mobiles() {
    same(
        &[
            "5491123456789",
            "+54 9 11 2345-6789",
            "+54 11 15 2345-6789",
            "+54 9 11 15 2345-6789",
            "+54 (0) 11 15 2345 6789",
            "011 15 2345 6789",
            "11 15 2345 6789",
            "15 2345 6789",
        ],
        "AR",
        "5491123456789",
    );
    same(
        &["0351 15 234 5678", "+54 9 351 234 5678"],
        "AR",
        "5493512345678",
    );
    same(
        &["02954 15 234567", "+549 2954 234567"],
        "AR",
        "5492954234567",
    );
    // Nobody can tell whether it is a mobile.
    same(&["11 2345 6789", "+54 11 2345 6789"], "AR", "541123456789");
    assert!(is_same_person("5491123456789", "541123456789"));
    assert_eq!(home("15 234 5678", "AR"), None);
    assert_eq!(home("+54 9 11 2345 678", "AR"), None);
}

#[test]
fn brazil_has_one_form_for_mobiles() {
    same(
        &[
            "551187654321",
            "5511987654321",
            "+55 (11) 98765-4321",
            "(11) 8765-4321",
            "011 98765 4321",
        ],
        "BR",
        "5511987654321",
    );
    same(&["(11) 3456-7890", "551134567890"], "BR", "551134567890");
    // The area of Porto Alegre is the code of Peru: at home it is the area.
    same(&["51 98765-4321"], "BR", "5551987654321");
    assert_eq!(
        normalise("51987654321", None).as_deref(),
        Some("51987654321")
    );
}

#[test]
fn the_others_have_their_lengths() {
    for (country, text, normalised) in [
        ("PE", "987 654 321", "51987654321"),
        ("PE", "(01) 234-5678", "5112345678"),
        ("CO", "310 123 4567", "573101234567"),
        ("CO", "(601) 234 5678", "576012345678"),
        ("CL", "9 8765 4321", "56987654321"),
        ("CL", "09 8765 4321", "56987654321"),
        ("ES", "612 34 56 78", "34612345678"),
        ("EC", "099 123 4567", "593991234567"),
        ("BO", "7123 4567", "59171234567"),
        ("PY", "0981 123 456", "595981123456"),
        ("UY", "099 123 456", "59899123456"),
        ("VE", "0412-1234567", "584121234567"),
        ("CR", "8888 1234", "50688881234"),
        ("PA", "6123-4567", "50761234567"),
        ("GT", "5123 4567", "50251234567"),
        ("SV", "7012 3456", "50370123456"),
        ("HN", "9123 4567", "50491234567"),
        ("NI", "8123 4567", "50581234567"),
        ("DO", "(809) 234-5678", "18092345678"),
        ("PR", "787 234 5678", "17872345678"),
        ("CU", "5 123 4567", "5351234567"),
        ("US", "1 (305) 555-0123", "13055550123"),
        ("CA", "416 555 0123", "14165550123"),
        ("US", "011 51 987 654 321", "51987654321"),
    ] {
        assert_eq!(
            home(text, country).as_deref(),
            Some(normalised),
            "{country} {text}"
        );
        let (_, short) = text.split_at(text.len() / 2);
        assert_eq!(home(short, country), None, "{country} {short}");
        assert_eq!(
            home(&format!("{text} 00000"), country),
            None,
            "{country} {text}"
        );
        // A country of the same plan may be the one that is found.
        let found = country_of(normalised);
        assert!(
            found == Some(country) || text.starts_with("011"),
            "{found:?}"
        );
    }
}

#[test]
fn the_rest_of_the_world_is_taken_as_it_is() {
    for (text, normalised, country) in [
        ("+49 151 23456789", Some("4915123456789"), Some("DE")),
        ("+44 (0) 7911 123456", Some("447911123456"), Some("GB")),
        ("0033612345678", Some("33612345678"), Some("FR")),
        ("33612345678", Some("33612345678"), Some("FR")),
        ("+376 312 345", Some("376312345"), Some("AD")),
        ("+7 701 234 5678", Some("77012345678"), Some("KZ")),
        ("+1 876 234 5678", Some("18762345678"), Some("JM")),
        ("+882 16 1234 5678", None, None),
        ("+49 151", None, None),
        ("+33 6 12 34 56 7", None, None),
        ("987654321", None, None),
        ("0987654321", None, None),
        ("", None, None),
        ("hola", None, None),
        ("987 654 321 o 987 654 322", None, None),
        ("51987654321 51987654322", None, None),
        ("5+1987654321", None, None),
        ("Ñ", None, None),
    ] {
        assert_eq!(normalise(text, None).as_deref(), normalised, "{text}");
        if let Some(number) = normalised {
            assert_eq!(country_of(number), country, "{number}");
        }
    }
    // A country that is not known completes nothing.
    assert_eq!(home("06 12 34 56 78", "FR"), None);
    assert_eq!(home("987654321", "pe").as_deref(), Some("51987654321"));
}

#[test]
fn numbers_are_shown_in_groups() {
    for (number, text) in [
        ("51987654321", "+51 987 654 321"),
        ("525512345678", "+52 55 1234 5678"),
        ("522221234567", "+52 222 123 4567"),
        ("5491123456789", "+54 9 11 2345 6789"),
        ("5493512345678", "+54 9 351 234 5678"),
        ("5511987654321", "+55 11 98765 4321"),
        ("13055550123", "+1 305 555 0123"),
        ("50688881234", "+506 8888 1234"),
        ("33612345678", "+33 612 345 678"),
        ("5198765", "+51 987 65"),
        ("8821612345678", "+882 161 234 5678"),
        ("PE.123", "PE.123"),
        ("", ""),
    ] {
        assert_eq!(shown(number), text);
    }
}

#[test]
fn the_same_person_is_known_in_any_form() {
    assert!(is_same_person("5215512345678", "+52 55 1234 5678"));
    assert!(is_same_person("551187654321", "5511987654321"));
    assert!(!is_same_person("51987654321", "51987654322"));
    assert!(!is_same_person("", ""));
    assert!(!is_same_person("x", "x"));
}

const HOMES: [&str; 12] = [
    "MX", "AR", "BR", "PE", "CO", "CL", "ES", "UY", "PY", "PA", "US", "FR",
];

proptest! {
    #[test]
    fn a_number_stays_what_it_is(text in "(\\+|00|)[0-9]{0,17}", country in prop::sample::select(&HOMES)) {
        for country in [None, Some(country)] {
            let Some(number) = normalise(&text, country) else { continue };
            prop_assert!((SHORTEST..=LONGEST).contains(&number.len()), "{number}");
            let again = normalise(&number, None);
            prop_assert_eq!(again.as_deref(), Some(number.as_str()));
            let own = normalise(&number, country_of(&number));
            prop_assert_eq!(own.as_deref(), Some(number.as_str()));
            let shown = shown(&number);
            for written in [&format!("+{number}"), &shown] {
                let read = normalise(written, country);
                prop_assert_eq!(read.as_deref(), Some(number.as_str()));
            }
            prop_assert!(is_same_person(&number, &shown));
        }
    }

    #[test]
    fn signs_do_not_matter(
        digits in "[0-9]{6,14}",
        plus in any::<bool>(),
        signs in prop::collection::vec("[ .()\\-\u{a0}\u{2011}\u{202a}]{0,2}", 16),
        country in prop::sample::select(&HOMES),
    ) {
        let start = if plus { "+" } else { "" };
        let mut written = format!("{}{start}", signs[0]);
        for (digit, sign) in digits.chars().zip(&signs[1..]) {
            written.push(digit);
            written.push_str(sign);
        }
        let plain = format!("{start}{digits}");
        prop_assert_eq!(normalise(&written, Some(country)), normalise(&plain, Some(country)));
    }

    #[test]
    fn nothing_is_too_odd_to_be_looked_at(text in ".{0,40}", country in ".{0,3}") {
        let _ = normalise(&text, Some(&country));
        let _ = (country_of(&text), shown(&text), is_same_person(&text, &country));
    }
}
