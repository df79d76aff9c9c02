//! Hands tantivy the terms that were read already.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

pub(super) const NAME: &str = "terms";
/// No term has it.
const BETWEEN: char = '\n';

/// Many terms as one text.
pub(super) fn joined<'a>(terms: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for term in terms {
        text.push_str(term);
        text.push(BETWEEN);
    }
    text
}

/// Takes such a text apart again.
#[derive(Clone)]
pub(super) struct Apart;

pub(super) struct Terms<'a> {
    rest: std::str::SplitTerminator<'a, char>,
    token: Token,
}

impl Tokenizer for Apart {
    type TokenStream<'a> = Terms<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Terms<'a> {
        let token = Token {
            // Nobody asks where a term is.
            position: 0,
            ..Token::default()
        };
        Terms {
            rest: text.split_terminator(BETWEEN),
            token,
        }
    }
}

impl TokenStream for Terms<'_> {
    fn advance(&mut self) -> bool {
        let Some(term) = self.rest.next() else {
            return false;
        };
        self.token.text.clear();
        self.token.text.push_str(term);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
