//! What an answer says was done.

use super::clause::{Clauses, Spoken};
use super::vocabulary::{Form, Verb, Vocabulary};

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($variant),+ }

        impl $name {
            pub(super) fn parse(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)+
                    _ => None,
                }
            }

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }
    };
}

named! {
    /// What is done.
    Doing {
        Make = "make", Move = "move", Cancel = "cancel", Tell = "tell", Save = "save", Give = "give",
        Redeem = "redeem", Send = "send", Receive = "receive",
    }
}

named! {
    /// What it is done to.
    Thing {
        Appointment = "appointment", Order = "order", Person = "person", Data = "data", Points = "points",
        Reward = "reward", Invoice = "invoice", Payment = "payment", Request = "request",
        Message = "message", Refund = "refund", Discount = "discount",
    }
}

/// Something that was done, as an answer tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deed {
    pub doing: Doing,
    pub thing: Thing,
}

/// How a verb tells that something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// It happened.
    Happened,
    /// It is so, which may be said of some case only.
    IsSo,
}

pub(super) fn read(clauses: &Clauses<'_>) -> Vec<Deed> {
    let vocabulary = Vocabulary::get();
    let mut deeds = Vec::new();
    for (at, here) in clauses.words.iter().enumerate() {
        let named = vocabulary.named(here.word());
        for verb in vocabulary
            .verbs(here.word(), here.token.stressed)
            .chain(named)
        {
            let Some(told) = told(clauses, at, *verb) else {
                continue;
            };
            let in_some_case = told == Told::IsSo && clauses.has_condition();
            if in_some_case || !clauses.is_stated(at) || is_denied(clauses, at) {
                continue;
            }
            if let Some(thing) = done_to(clauses, at, *verb) {
                let deed = Deed {
                    doing: verb.doing,
                    thing,
                };
                if !deeds.contains(&deed) {
                    deeds.push(deed);
                }
            }
        }
    }
    deeds
}

/// Whether the words before a verb make it something that was done.
fn told(clauses: &Clauses<'_>, at: usize, verb: Verb) -> Option<Told> {
    let here = clauses.words[at];
    let mut before = clauses.before(at).skip_while(|word| passes(*word));
    let nearest = before.next();
    match verb.form {
        Form::I => Some(Told::Happened),
        Form::We => {
            let mut words = clauses.words[..at].iter();
            let done = words.any(|word| matches!(word.word(), "ya" | "listo"));
            done.then_some(Told::Happened)
        }
        Form::They => {
            let itself = clauses
                .before(at)
                .next()
                .is_some_and(|word| word.word() == "se");
            let own = clauses.of_clause(here.clause).any(|word| word.is("own"));
            (itself || own).then_some(Told::Happened)
        }
        // "Acabo de agendar", "logré mover", "ya pude cancelarla".
        Form::Infinitive => {
            let mut before = before_infinitive(clauses, at);
            before.next().filter(is_managed).map(|_| Told::Happened)
        }
        Form::Participle | Form::English => match nearest {
            // "I went ahead and cancelled your order."
            Some(word) if verb.form == Form::English && word.word() == "and" => {
                let doer = clauses.before(at).any(|word| word.is("doer"));
                doer.then_some(Told::Happened)
            }
            Some(word) if word.is("happened") => Some(Told::Happened),
            Some(word) if word.is("is_so") => Some(Told::IsSo),
            Some(word) if verb.form == Form::English && word.is("doer") => Some(Told::Happened),
            // "I have", "we've".
            Some(word)
                if verb.form == Form::English && matches!(word.word(), "have" | "ve" | "has") =>
            {
                Some(Told::Happened)
            }
            nearest => bare(clauses, at, nearest).filter(|_| !verb.plural),
        },
    }
}

/// The words before an infinitive, without what only ties it to its verb: "acabo de", "alcancé a".
fn before_infinitive<'a>(clauses: &Clauses<'a>, at: usize) -> impl Iterator<Item = Spoken<'a>> {
    let tie = |word: &Spoken<'_>| passes(*word) || matches!(word.word(), "de" | "a");
    clauses.before(at).skip_while(tie)
}

/// Whether a verb says that what follows it came about. "Logré" does, and "logre" wishes for it.
fn is_managed(word: &Spoken<'_>) -> bool {
    word.is("managed") || (word.token.stressed && word.is("i_managed"))
}

/// A participle without a verb: "Cita agendada", "¡Agendada!", "Tienes una cita agendada".
fn bare(clauses: &Clauses<'_>, at: usize, nearest: Option<Spoken<'_>>) -> Option<Told> {
    // "Listo, agendada." What else begins with a participle describes something.
    let opened = |word: &Spoken<'_>| word.is("opener") || passes(*word);
    let alone = clauses.words[..at].iter().all(opened);
    let named = nearest.filter(|word| !Vocabulary::get().things(word.word()).is_empty());
    let first = named.is_some_and(|word| word.place == 0);
    let owned = named.is_some()
        && clauses
            .before(at)
            .any(|word| matches!(word.word(), "tienes" | "tiene" | "have"));
    (alone || first || owned).then_some(Told::Happened)
}

fn passes(word: Spoken<'_>) -> bool {
    word.is("between") || word.word().ends_with("mente")
}

/// Whether the verb is turned into its opposite by what stands right before it.
fn is_denied(clauses: &Clauses<'_>, at: usize) -> bool {
    let mut near = clauses
        .before(at)
        .take_while(|word| {
            passes(*word) || word.is("happened") || word.is("is_so") || word.is("not")
        })
        .chain(clauses.before(at).take(3));
    near.any(|word| word.is("not") || word.word() == "t")
}

/// What the deed is done to: what the clause names, or else the sentence, or else what the verb implies.
fn done_to(clauses: &Clauses<'_>, at: usize, verb: Verb) -> Option<Thing> {
    let vocabulary = Vocabulary::get();
    let here = clauses.words[at].clause;
    let mut generic = false;
    let mut named: Option<(bool, usize, Thing)> = None;
    for (place, word) in clauses.words.iter().enumerate() {
        let things = vocabulary.things(word.word()).iter();
        let Some(thing) = things
            .copied()
            .find(|thing| vocabulary.can_be(verb.doing, *thing))
        else {
            continue;
        };
        // Who is told something is named with it.
        if thing == Thing::Person && word.clause != here {
            continue;
        }
        if !is_particular(clauses, place, thing) {
            generic |= word.clause == here;
            continue;
        }
        let far = (word.clause != here, place.abs_diff(at), thing);
        if named.is_none_or(|near| (far.0, far.1) < (near.0, near.1)) {
            named = Some(far);
        }
    }
    let named = named.map(|(_, _, thing)| thing);
    // What is said of appointments in general is no deed.
    named.or(verb.implied.filter(|_| !generic))
}

/// Whether one particular thing is meant: "tu cita", "la reserva", "Cita agendada", and any person.
fn is_particular(clauses: &Clauses<'_>, place: usize, thing: Thing) -> bool {
    let word = clauses.words[place];
    if matches!(thing, Thing::Person | Thing::Message) {
        return true;
    }
    let plural = word.word().ends_with('s') && thing != Thing::Data && thing != Thing::Points;
    let mut before = clauses.before(place).take(2);
    if plural {
        before.any(|word| word.is("own"))
    } else {
        word.place == 0
            || before.any(|word| word.is("definite") || matches!(word.word(), "una" | "un"))
    }
}
