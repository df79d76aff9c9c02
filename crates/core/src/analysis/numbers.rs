//! Numbers as words and as figures: whoever asks for a room for thirty finds "30 personas".

/// Folded, in Spanish and English. Those of one line mean the same.
const NUMBERS: &[&[&str]] = &[
    &["2", "dos", "two"],
    &["3", "tres", "three"],
    &["4", "cuatro", "four"],
    &["5", "cinco", "five"],
    &["6", "seis", "six"],
    &["7", "siete", "seven"],
    &["8", "ocho", "eight"],
    &["9", "nueve", "nine"],
    &["10", "diez", "ten"],
    &["11", "once", "eleven"],
    &["12", "doce", "twelve"],
    &["13", "trece", "thirteen"],
    &["14", "catorce", "fourteen"],
    &["15", "quince", "fifteen"],
    &["16", "dieciseis", "sixteen"],
    &["17", "diecisiete", "seventeen"],
    &["18", "dieciocho", "eighteen"],
    &["19", "diecinueve", "nineteen"],
    &["20", "veinte", "twenty"],
    &["30", "treinta", "thirty"],
    &["40", "cuarenta", "forty"],
    &["50", "cincuenta", "fifty"],
    &["60", "sesenta", "sixty"],
    &["70", "setenta", "seventy"],
    &["80", "ochenta", "eighty"],
    &["90", "noventa", "ninety"],
    &["100", "cien", "hundred"],
    &["200", "doscientos", "doscientas"],
    &["300", "trescientos", "trescientas"],
    &["500", "quinientos", "quinientas"],
    &["1000", "mil", "thousand"],
];

/// The other ways to write a number; none, for a word that is none.
pub(super) fn other_forms(word: &str) -> impl Iterator<Item = &'static str> {
    let same = NUMBERS.iter().find(|forms| forms.contains(&word));
    let forms = same.copied().unwrap_or_default();
    forms.iter().copied().filter(move |form| *form != word)
}
