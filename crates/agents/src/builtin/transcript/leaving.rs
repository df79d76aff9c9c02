//! The ways out of what is being settled, and the end of a list of things.

use super::super::folded::says;
use super::{Goal, State};

/// What takes back a wish, when nothing else is said with it.
const WAYS_OUT: &[&str] = &[
    "claro que no",
    "por supuesto que no",
    "obvio que no",
    "of course not",
    "absolutely not",
    "ya fue",
    "olvidalo",
    "olvidala",
    "olvidate",
    "olvidemoslo",
    "olvida",
    "ya no quiero",
    "ya no queremos",
    "no quiero nada",
    "nada",
    "ya no",
    "dejalo",
    "dejala",
    "dejemoslo",
    "deja",
    "mejor no",
    "mejor nada",
    "no gracias",
    "gracias pero no",
    "no thanks",
    "no thank you",
    "never mind",
    "nevermind",
    "nvm",
    "forget it",
    "forget about it",
    "forget that",
];
/// What ends a conversation, unless a yes comes with it.
const FAREWELLS: &[&str] = &[
    "adios",
    "bye",
    "goodbye",
    "chao",
    "chau",
    "hasta luego",
    "nos vemos",
    "see you",
];
const CANCELS: &[&str] = &[
    "cancela",
    "cancelalo",
    "cancelala",
    "cancelemos",
    "cancelar",
    "cancelen",
    "cancelame",
    "cancel",
    "anula",
    "anulalo",
];
/// What may stand beside a way out without saying anything else.
const BESIDE: &str = "gracias ok bueno mejor ya entonces pues no si sabes que por favor porfa perdon disculpa \
    disculpe sorry thanks thank you actually oh ah ay uy mmm hmm well todo eso that it this all everything \
    please nada esto el la mi pedido orden order cita reserva mesa appointment booking factura invoice the my \
    muchas lo hoy bye adios luego just i think creo anyway";
/// What ends a list of things.
const ENDS: &[&str] = &[
    "eso es todo",
    "es todo",
    "seria todo",
    "seria eso",
    "nada mas",
    "nomas eso",
    "eso nomas",
    "solo eso",
    "ya con eso",
    "con eso nomas",
    "that s all",
    "thats all",
    "that is all",
    "that ll be all",
    "that will be all",
    "that s it",
    "thats it",
    "nothing else",
];
/// A list ends in a few words.
const MOST_WORDS: usize = 8;

/// Whether the message says that nothing more comes.
pub(in super::super) fn ends_list(words: &str) -> bool {
    let counts = words
        .split(' ')
        .any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    words.split(' ').count() <= MOST_WORDS && says(words, ENDS) && !counts
}

/// Whether a yes is said in so many words, whatever else is.
pub(super) fn says_yes(words: &str) -> bool {
    let yes = [
        "si",
        "sip",
        "yes",
        "confirmo",
        "confirma",
        "confirmar",
        "confirmado",
        "confirm",
        "confirmalo",
        "dale",
        "adelante",
        "go ahead",
    ];
    says(words, &yes)
}

impl State {
    /// Whether the message drops what is being settled.
    pub(super) fn leaves(&self, words: &str) -> bool {
        let Some(goal) = self.goal else {
            return false;
        };
        if only(words, FAREWELLS) {
            return !says_yes(words);
        }
        if only(words, CANCELS) {
            return self.leaves_by_cancelling(goal, words);
        }
        // What is not clear of an order may be left out of it.
        let about_one = goal == Goal::Order && self.said.contains(&"ask.unclear");
        let one = [
            "no gracias",
            "mejor no",
            "no thanks",
            "no thank you",
            "nada",
        ];
        only(words, WAYS_OUT) && !(about_one && says(words, &one)) && !ends_list(words)
    }

    /// What was made already is cancelled by asking first; what is still open is dropped.
    fn leaves_by_cancelling(&self, goal: Goal, words: &str) -> bool {
        let made = self.completed.contains(&goal);
        let booking = says(
            words,
            &["cita", "reserva", "mesa", "appointment", "booking"],
        );
        match goal {
            Goal::Order => !made && !booking,
            Goal::Booking => !made && !booking && !says(words, &["pedido", "orden", "order"]),
            Goal::Invoice | Goal::Redeem => !booking && self.completed.is_empty(),
            Goal::Reschedule | Goal::CancelAppointment | Goal::CancelOrder => false,
        }
    }
}

/// Whether a text says one of these phrases, and nothing else that counts.
fn only(words: &str, phrases: &[&str]) -> bool {
    let text = format!(" {words} ");
    phrases.iter().any(|phrase| {
        let phrase = format!(" {phrase} ");
        let rest = text.replacen(&phrase, " ", 1);
        let beside = |word: &str| BESIDE.split_whitespace().any(|known| known == word);
        rest.len() < text.len() && rest.split_whitespace().all(beside)
    })
}
