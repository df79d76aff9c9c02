//! A text cut into the things that are ordered in it.

use super::index::{Index, Said};
use super::options::is_and;
use super::quantity::{self, QuantityProblem};
use super::tokens::{Kind, Token, tokens};
use super::words::is_small;

/// Nobody orders more things in one message.
const MOST_PIECES: usize = 60;
/// How much of what was said is repeated in an answer.
const LONGEST_SAID: usize = 120;

/// What somebody said, with the words of the menu that each word may be.
pub(super) struct Utterance<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    said: Vec<Said>,
}

impl<'t> Utterance<'t> {
    pub(super) fn new(text: &'t str, index: &Index<'_>) -> Self {
        let tokens = tokens(text);
        let said = tokens.iter().map(|token| index.said(&token.word)).collect();
        Self { text, tokens, said }
    }

    pub(super) fn words(&self, positions: &[usize]) -> Vec<&Said> {
        let words = positions.iter().filter_map(|at| self.said.get(*at));
        words.collect()
    }

    pub(super) fn word(&self, position: usize) -> &str {
        self.tokens
            .get(position)
            .map_or("", |token| token.word.as_str())
    }

    /// The positions of all words.
    pub(super) fn positions(&self) -> Vec<usize> {
        let positions = 0..self.tokens.len();
        positions
            .filter(|at| self.tokens[*at].kind == Kind::Word)
            .collect()
    }

    /// The text from the first word to the last, on one line.
    pub(super) fn text_of(&self, positions: &[usize]) -> String {
        let token = |at: Option<&usize>| at.and_then(|at| self.tokens.get(*at));
        let (Some(first), Some(last)) = (token(positions.first()), token(positions.last())) else {
            return String::new();
        };
        let text = self.text.get(first.start..last.end).unwrap_or_default();
        crate::text::preview(text, LONGEST_SAID)
    }
}

/// One thing of an order, as positions of the words it is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// As it was said; one when nothing was.
    pub(super) quantity: Option<Result<u32, QuantityProblem>>,
    pub(super) words: Vec<usize>,
    /// Whether "de" comes first, as in "dos de pastor", so that what they are was said before.
    pub(super) of: bool,
    /// Whether a colon follows, so that it may be what the next ones are about.
    pub(super) colon: bool,
    /// Where the number stands, which is all there is when it has no words.
    pub(super) number: Option<usize>,
}

impl Piece {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.quantity.is_none()
    }
}

/// Cuts a text at its signs, and where a number begins another thing. Names of the menu are not cut,
/// whatever stands in them.
pub(super) fn pieces(utterance: &Utterance<'_>, index: &Index<'_>) -> Vec<Piece> {
    let Utterance { tokens, said, .. } = utterance;
    let mut cutter = Cutter {
        pieces: Vec::new(),
        current: Piece::default(),
    };
    let mut at = 0;
    while at < tokens.len() && cutter.pieces.len() < MOST_PIECES {
        if let Some(end) = name_at(tokens, said, index, at) {
            let words = (at..end).filter(|word| tokens[*word].kind == Kind::Word);
            cutter.current.words.extend(words);
            at = end;
            continue;
        }
        at += match tokens[at].kind {
            Kind::Break => cutter.finish(),
            Kind::Colon => {
                cutter.current.colon = true;
                cutter.finish()
            }
            Kind::Word => cutter.word(tokens, at),
        };
    }
    cutter.finish();
    cutter.pieces
}

struct Cutter {
    pieces: Vec<Piece>,
    current: Piece,
}

impl Cutter {
    /// Ends the piece that is being read. It takes one token.
    fn finish(&mut self) -> usize {
        let piece = std::mem::take(&mut self.current);
        if !piece.is_empty() && self.pieces.len() < MOST_PIECES {
            self.pieces.push(piece);
        }
        1
    }

    /// Takes the word at a position into the piece, and says how many tokens that were.
    fn word(&mut self, tokens: &[Token], at: usize) -> usize {
        let ahead = words_ahead(tokens, at);
        let Some(word) = ahead.first().copied() else {
            return 1;
        };
        let begun = !self.current.words.is_empty();
        if is_and(word) {
            if !begun {
                return 1;
            }
            if begins_another(&ahead[1..]) {
                return self.finish();
            }
            self.current.words.push(at);
            return 1;
        }
        if let Some(counted) = quantity::read(&ahead)
            && let Some(taken) = self.number(tokens, at, &ahead, counted)
        {
            return taken;
        }
        if !begun {
            match word {
                "de" | "del" | "of" => {
                    self.current.of = true;
                    return 1;
                }
                _ if is_filler(word) && !is_wish(&ahead) => return 1,
                _ => {}
            }
        }
        self.current.words.push(at);
        1
    }

    /// Takes a number, unless it is a part of what is being named.
    fn number(
        &mut self,
        tokens: &[Token],
        at: usize,
        ahead: &[&str],
        counted: quantity::Counted,
    ) -> Option<usize> {
        let behind = &ahead[counted.words..];
        if self.current.words.is_empty() {
            // "600 ml de agua" are not six hundred of anything.
            let measured = counted.quantity == Err(QuantityProblem::TooMany)
                && behind.first().is_some_and(|word| is_unit(word));
            if self.current.quantity.is_some() || measured {
                return None;
            }
            self.current.quantity = Some(counted.quantity);
            self.current.number = Some(at);
            return Some(counted.words);
        }
        if counted.trailing {
            if self.current.quantity.is_some() {
                return None;
            }
            self.current.quantity = Some(counted.quantity);
            return Some(counted.words);
        }
        let before = at.checked_sub(1).map(|before| tokens[before].word.as_str());
        let belongs = before.is_some_and(|word| is_preposition(word))
            || counted.quantity == Err(QuantityProblem::NotPositive)
            || behind
                .first()
                .is_none_or(|word| is_unit(word) || is_and(word))
            || matches!(
                ahead,
                ["un" | "a", "poco" | "poquito" | "little" | "bit", ..]
            );
        if belongs {
            return None;
        }
        self.finish();
        self.current.quantity = Some(counted.quantity);
        self.current.number = Some(at);
        Some(counted.words)
    }
}

/// The words from here to the next sign.
fn words_ahead(tokens: &[Token], at: usize) -> Vec<&str> {
    let words = tokens[at..].iter().take(8);
    let words = words.take_while(|token| token.kind == Kind::Word);
    words.map(|token| token.word.as_str()).collect()
}

fn begins_another(ahead: &[&str]) -> bool {
    let ahead = match ahead {
        [word, rest @ ..] if is_filler(word) => rest,
        _ => ahead,
    };
    quantity::read(ahead).is_some_and(|counted| !counted.trailing)
}

/// Where a name ends that begins here and is written as on the menu.
fn name_at(tokens: &[Token], said: &[Said], index: &Index<'_>, at: usize) -> Option<usize> {
    if tokens[at].kind != Kind::Word {
        return None;
    }
    let labels = index.entries.iter().flat_map(|entry| &entry.labels);
    // A name of one word is only kept from being taken for good manners.
    let word = tokens[at].word.as_str();
    let protected = is_filler(word) && !is_small(word);
    let labels = labels.filter(|label| match label.sequence.as_slice() {
        [one] => protected && one == word,
        _ => label.spelled,
    });
    let ends = labels.filter_map(|label| {
        let mut next = at;
        for known in &label.sequence {
            while label.has_signs && tokens.get(next)?.kind != Kind::Word {
                next += 1;
            }
            let is_word = tokens.get(next)?.kind == Kind::Word;
            if !is_word || !index.is_form_of(&said[next], known) {
                return None;
            }
            next += 1;
        }
        Some(next)
    });
    ends.max()
}

/// Whether the words say how something is wanted rather than what.
pub(super) fn is_wish(words: &[&str]) -> bool {
    match words {
        ["para", "llevar" | "comer" | "aqui", ..]
        | ["to", "go", ..]
        | ["por", "separado", ..]
        | ["al", "tiempo", ..]
        | ["un" | "a", "poco" | "poquito" | "little" | "bit", ..] => true,
        [word, ..] => WISHES.contains(word),
        [] => false,
    }
}

const WISHES: &[&str] = &[
    "aparte",
    "bien",
    "caliente",
    "calientes",
    "cold",
    "con",
    "dorada",
    "doradas",
    "dorado",
    "dorados",
    "doradito",
    "doraditos",
    "extra",
    "fria",
    "frias",
    "frio",
    "frios",
    "helada",
    "heladas",
    "hot",
    "muy",
    "mucha",
    "mucho",
    "no",
    "partida",
    "partido",
    "picante",
    "picantes",
    "poca",
    "poco",
    "poquita",
    "poquito",
    "sin",
    "solo",
    "sola",
    "termino",
    "tostada",
    "tostado",
    "very",
    "well",
    "with",
    "without",
];

/// Words that open an order or belong to good manners.
const FILLERS: &[&str] = &[
    "a",
    "agrega",
    "agregame",
    "agregar",
    "ahora",
    "an",
    "anota",
    "anotame",
    "apunta",
    "beber",
    "buen",
    "buena",
    "buenas",
    "bueno",
    "buenos",
    "can",
    "comer",
    "could",
    "d",
    "da",
    "dame",
    "das",
    "deme",
    "denme",
    "dia",
    "dias",
    "el",
    "encargo",
    "eso",
    "favor",
    "get",
    "give",
    "good",
    "gracias",
    "gustaria",
    "have",
    "hello",
    "hey",
    "hi",
    "hola",
    "i",
    "joven",
    "la",
    "las",
    "let",
    "like",
    "ll",
    "lo",
    "los",
    "mandame",
    "manda",
    "me",
    "mi",
    "mis",
    "morning",
    "need",
    "necesito",
    "noches",
    "nos",
    "ok",
    "order",
    "ordenar",
    "para",
    "pedido",
    "pedir",
    "pido",
    "please",
    "podria",
    "podrias",
    "pon",
    "pone",
    "ponme",
    "por",
    "porfa",
    "porfavor",
    "porfis",
    "puede",
    "puedes",
    "que",
    "queremos",
    "quiero",
    "quisiera",
    "quisieramos",
    "regala",
    "regalame",
    "se",
    "sea",
    "sean",
    "ser",
    "seria",
    "serian",
    "si",
    "some",
    "tambien",
    "tardes",
    "te",
    "thank",
    "thanks",
    "the",
    "tomar",
    "traeme",
    "trae",
    "us",
    "va",
    "van",
    "vas",
    "want",
    "we",
    "would",
    "ya",
    "yes",
    "you",
];

pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Words after which a number belongs to what is being named: "de 2 litros", "para 4 personas".
fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "a" | "con" | "de" | "del" | "en" | "for" | "of" | "para" | "por" | "sin" | "with"
    )
}

fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "cc" | "cl"
            | "cm"
            | "g"
            | "gr"
            | "gramo"
            | "gramos"
            | "grs"
            | "k"
            | "kg"
            | "kgs"
            | "kilo"
            | "kilos"
            | "l"
            | "lb"
            | "lbs"
            | "liter"
            | "liters"
            | "litro"
            | "litros"
            | "lt"
            | "lts"
            | "mg"
            | "ml"
            | "mm"
            | "onzas"
            | "oz"
            | "persona"
            | "personas"
            | "pulgadas"
    )
}
