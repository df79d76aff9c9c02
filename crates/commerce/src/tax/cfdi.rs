//! The tax regimes and the uses of an invoice, as the catalogues of CFDI 4.0 list them.

use super::catalogues::{REGIMES, USES};
use super::rfc::{Person, Rfc, RfcKind};
use quipu_core::language::Language;
use serde::Serialize;
use utoipa::ToSchema;

/// A tax regime of the catalogue `c_RegimenFiscal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TaxRegime {
    #[schema(example = "626")]
    pub code: &'static str,
    /// As the authority names it.
    pub name: &'static str,
    pub natural: bool,
    pub legal: bool,
}

/// A use of an invoice of the catalogue `c_UsoCFDI`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CfdiUse {
    #[schema(example = "G03")]
    pub code: &'static str,
    /// As the authority names it.
    pub name: &'static str,
    pub natural: bool,
    pub legal: bool,
    /// The regimes whose customers may use an invoice so.
    pub regimes: &'static [&'static str],
}

impl TaxRegime {
    pub const ALL: &[Self] = REGIMES;

    /// The regime with this code.
    #[must_use]
    pub fn find(code: &str) -> Option<&'static Self> {
        REGIMES.iter().find(|regime| regime.code == code.trim())
    }

    #[must_use]
    pub const fn is_for(&self, person: Person) -> bool {
        match person {
            Person::Natural => self.natural,
            Person::Legal => self.legal,
        }
    }

    /// The regimes that such a person can be in.
    pub fn of(person: Person) -> impl Iterator<Item = &'static Self> {
        REGIMES.iter().filter(move |regime| regime.is_for(person))
    }
}

impl CfdiUse {
    pub const ALL: &[Self] = USES;

    /// The use with this code, in capitals or not.
    #[must_use]
    pub fn find(code: &str) -> Option<&'static Self> {
        let code = code.trim();
        USES.iter()
            .find(|usage| usage.code.eq_ignore_ascii_case(code))
    }

    #[must_use]
    pub fn is_for(&self, person: Person, regime: &TaxRegime) -> bool {
        let allowed = match person {
            Person::Natural => self.natural,
            Person::Legal => self.legal,
        };
        allowed && regime.is_for(person) && self.regimes.contains(&regime.code)
    }

    /// The uses that a customer of this regime may ask for.
    pub fn of(person: Person, regime: &TaxRegime) -> impl Iterator<Item = &'static Self> {
        USES.iter()
            .filter(move |usage| usage.is_for(person, regime))
    }
}

/// Why the data of a customer do not go together on an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceProblem {
    UnknownRegime,
    UnknownUse,
    /// The regime is not for such a person.
    RegimeOfOthers,
    /// The use is not for customers of the regime.
    UseOfOthers,
    /// The generic numbers go with regime 616 and use S01 only.
    Generic,
}

impl InvoiceProblem {
    /// The sentence for a person.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::UnknownRegime, Language::Es) => "No existe ese régimen fiscal.",
            (Self::UnknownRegime, Language::En) => "There is no such tax regime.",
            (Self::UnknownUse, Language::Es) => "No existe ese uso de CFDI.",
            (Self::UnknownUse, Language::En) => "There is no such use of a CFDI.",
            (Self::RegimeOfOthers, Language::Es) => {
                "Ese régimen fiscal no corresponde al tipo de persona del RFC."
            }
            (Self::RegimeOfOthers, Language::En) => {
                "That tax regime is not for the kind of person of the RFC."
            }
            (Self::UseOfOthers, Language::Es) => {
                "Ese uso de CFDI no está permitido para ese régimen fiscal."
            }
            (Self::UseOfOthers, Language::En) => {
                "That use of a CFDI is not allowed for that tax regime."
            }
            (Self::Generic, Language::Es) => {
                "Un RFC genérico se factura con el régimen 616 y el uso S01."
            }
            (Self::Generic, Language::En) => {
                "A generic RFC is invoiced with regime 616 and use S01."
            }
        }
    }
}

/// Whether number, regime and use go together on an invoice.
///
/// # Errors
/// When a code is not known or one does not go with another.
pub fn check_invoice(
    rfc: &Rfc,
    regime: &str,
    usage: &str,
) -> Result<(&'static TaxRegime, &'static CfdiUse), InvoiceProblem> {
    let regime = TaxRegime::find(regime).ok_or(InvoiceProblem::UnknownRegime)?;
    let usage = CfdiUse::find(usage).ok_or(InvoiceProblem::UnknownUse)?;
    let generic = matches!(rfc.kind, RfcKind::GenericPublic | RfcKind::GenericForeign);
    if generic && (regime.code, usage.code) != ("616", "S01") {
        return Err(InvoiceProblem::Generic);
    }
    if !regime.is_for(rfc.person()) {
        return Err(InvoiceProblem::RegimeOfOthers);
    }
    if !usage.is_for(rfc.person(), regime) {
        return Err(InvoiceProblem::UseOfOthers);
    }
    Ok((regime, usage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn rfc(text: &str) -> Rfc {
        Rfc::parse(text).unwrap()
    }

    #[test]
    fn the_catalogues_are_whole_and_agree() {
        let codes: HashSet<_> = REGIMES.iter().map(|regime| regime.code).collect();
        assert_eq!((codes.len(), REGIMES.len()), (19, 19));
        let uses: HashSet<_> = USES.iter().map(|usage| usage.code).collect();
        assert_eq!((uses.len(), USES.len()), (24, 24));
        for usage in USES {
            assert!(
                usage.regimes.iter().all(|code| codes.contains(code)),
                "{}",
                usage.code
            );
            let somebody = [Person::Natural, Person::Legal]
                .into_iter()
                .any(|person| TaxRegime::of(person).any(|regime| usage.is_for(person, regime)));
            assert!(somebody, "nobody may use {}", usage.code);
        }
        assert_eq!(CfdiUse::find("S01").unwrap().regimes.len(), REGIMES.len());
        assert_eq!(CfdiUse::find(" g03 ").unwrap().name, "Gastos en general");
    }

    #[test]
    fn number_regime_and_use_must_go_together() {
        let (company, person) = (rfc("EKU9003173C9"), rfc("CACX7605101P8"));
        assert!(check_invoice(&company, "601", "G03").is_ok());
        assert!(check_invoice(&person, "612", "D01").is_ok());
        assert!(check_invoice(&person, "626", "G03").is_ok());
        for (rfc, regime, usage, problem) in [
            (&company, "612", "G03", InvoiceProblem::RegimeOfOthers),
            (&person, "601", "G03", InvoiceProblem::RegimeOfOthers),
            (&company, "601", "D01", InvoiceProblem::UseOfOthers),
            (&person, "605", "G03", InvoiceProblem::UseOfOthers),
            (&person, "626", "D01", InvoiceProblem::UseOfOthers),
            (&person, "999", "D01", InvoiceProblem::UnknownRegime),
            (&person, "612", "P01", InvoiceProblem::UnknownUse),
        ] {
            assert_eq!(
                check_invoice(rfc, regime, usage),
                Err(problem),
                "{regime} {usage}"
            );
            assert_ne!(problem.text(Language::Es), problem.text(Language::En));
        }
    }

    #[test]
    fn the_public_at_large_has_one_regime_and_use() {
        let public = rfc("XAXX010101000");
        assert!(check_invoice(&public, "616", "S01").is_ok());
        let generic = Err(InvoiceProblem::Generic);
        assert_eq!(check_invoice(&public, "616", "G02"), generic);
        assert_eq!(check_invoice(&rfc("XEXX010101000"), "612", "S01"), generic);
    }
}
