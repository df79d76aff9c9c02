//! Why a website or one of its pages is not read.

use crate::language::Language;

macro_rules! problems {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $es:literal, $en:literal;)+) => {
        /// What keeps a website or a page of it out of the knowledge base, beside what can be wrong
        /// with any page. A code is a promise to programs; the sentences are for people.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SiteProblem {
            $($(#[$doc])* $variant,)+
        }

        impl SiteProblem {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            #[must_use]
            pub const fn message(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$variant, Language::Es) => $es,
                    (Self::$variant, Language::En) => $en,)+
                }
            }
        }
    };
}

problems! {
    // Of a page.
    RobotsDisallow = "ROBOTS_DISALLOW",
        "El archivo robots.txt del sitio pide no leer esta dirección.",
        "The site's robots.txt asks not to read this address.";
    SamePage = "SAME_AS_ANOTHER_PAGE",
        "Esta dirección lleva a otra página del mismo sitio, que se lee en su lugar.",
        "This address leads to another page of the same site, which is read in its place.";
    LeavesSite = "LEAVES_SITE",
        "Esta dirección lleva a otro sitio, que no se lee.",
        "This address leads to another site, which is not read.";
    NotIncluded = "NOT_INCLUDED",
        "No coincide con las rutas elegidas: solo se miraron sus enlaces.",
        "It is not among the chosen paths: only its links were looked at.";
    AlreadyThere = "ALREADY_A_DOCUMENT",
        "Esta página ya está en la base de conocimiento como documento aparte.",
        "This page is in the knowledge base already, as a document of its own.";
    PageGone = "PAGE_GONE",
        "El sitio ya no tiene esta página.",
        "The site no longer has this page.";

    // Of the whole site.
    NothingFound = "NOTHING_FOUND",
        "No se encontró ninguna página que leer. Revisa la dirección y las rutas incluidas y excluidas.",
        "No page to read was found. Check the address and the included and excluded paths.";
    SiteUnreachable = "SITE_UNREACHABLE",
        "El sitio no responde. Lo que ya se había leído sigue igual; inténtalo más tarde.",
        "The site does not answer. What was read before stays as it is; try again later.";
    BudgetReached = "PAGE_BUDGET_REACHED",
        "El sitio tiene más páginas que el máximo elegido; las demás no se leyeron.",
        "The site has more pages than the chosen maximum; the others were not read.";
    MostAreMissing = "MOST_PAGES_MISSING",
        "Falta más de la mitad de las páginas que había. Por ahora se conservan: si la próxima lectura tampoco las encuentra, se quitan.",
        "More than half of the pages are missing. They are kept for now: if the next reading does not find them either, they are removed.";
    BaseArchived = "KNOWLEDGE_BASE_ARCHIVED",
        "La base de conocimiento está archivada: el sitio no se lee.",
        "The knowledge base is archived: the site is not read.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn problems_are_told_apart_by_their_codes() {
        let codes: HashSet<_> = SiteProblem::ALL.iter().map(|it| it.code()).collect();
        assert_eq!(codes.len(), SiteProblem::ALL.len());
    }
}
