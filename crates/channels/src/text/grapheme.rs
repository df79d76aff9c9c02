//! Signs that are seen as one.

const JOINER: char = '\u{200d}';

/// Whether a text may not be parted at a byte, because what stands around it is one sign to whoever
/// reads it: a letter with its accent, a picture with its colour or put together of several, a flag.
pub(super) fn is_inside(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at(at);
    let (Some(last), Some(next)) = (before.chars().next_back(), behind.chars().next()) else {
        return false;
    };
    let joined =
        is_attached(next) || (last == JOINER && is_pictured(next)) || (last, next) == ('\r', '\n');
    joined || (is_indicator(last) && is_indicator(next) && halves(before) % 2 == 1)
}

/// How many halves of flags the text ends with.
fn halves(text: &str) -> usize {
    text.chars().rev().take_while(|c| is_indicator(*c)).count()
}

fn is_indicator(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

fn is_pictured(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace()
}

/// Marks on the sign before them.
fn is_attached(c: char) -> bool {
    matches!(
        c,
        JOINER
            | '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5bd}'
            | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}'
            | '\u{900}'..='\u{903}'
            | '\u{93a}'..='\u{94d}'
            | '\u{e31}'
            | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{200c}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{302a}'..='\u{302f}'
            | '\u{3099}'..='\u{309a}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0020}'..='\u{e007f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}
