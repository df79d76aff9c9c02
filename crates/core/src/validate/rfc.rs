//! Why a text is not a Mexican tax number.

use crate::language::Language;

/// Why a text is not a tax number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RfcProblem {
    /// It has neither 12 nor 13 characters.
    Length,
    /// It does not begin with three or four letters.
    Letters,
    /// The six digits after the letters are no date.
    Date,
    /// The last three characters cannot be those of a tax number.
    Homoclave,
}

impl RfcProblem {
    /// The sentence for a person.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Length, Language::Es) => {
                "El RFC tiene 12 caracteres (persona moral) o 13 (persona física)."
            }
            (Self::Length, Language::En) => {
                "An RFC has 12 characters (company) or 13 (individual)."
            }
            (Self::Letters, Language::Es) => {
                "El RFC empieza por 3 letras (persona moral) o 4 (persona física)."
            }
            (Self::Letters, Language::En) => {
                "An RFC begins with 3 letters (company) or 4 (individual)."
            }
            (Self::Date, Language::Es) => {
                "Tras las letras, el RFC lleva una fecha de seis cifras: año, mes y día."
            }
            (Self::Date, Language::En) => {
                "After the letters, an RFC has a date of six digits: year, month and day."
            }
            (Self::Homoclave, Language::Es) => {
                "El RFC termina en dos letras o cifras y una cifra de control (0-9 o A)."
            }
            (Self::Homoclave, Language::En) => {
                "An RFC ends with two letters or digits and a check digit (0-9 or A)."
            }
        }
    }
}
