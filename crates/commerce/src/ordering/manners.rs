//! The words of an order that name nothing on a menu: good manners, and how something is wanted.

/// Whether the words, folded, say how something is wanted rather than what.
#[must_use]
pub fn is_wish(words: &[&str]) -> bool {
    match words {
        ["en" | "on" | "in", "a" | "un" | "una", word, ..] | ["en" | "on" | "in", word, ..]
            if SERVED.contains(word) =>
        {
            true
        }
        ["para", "llevar" | "comer" | "aqui", ..]
        | ["to", "go", ..]
        | ["por", "separado", ..]
        | ["al", "tiempo", ..]
        | ["un" | "a", "poco" | "poquito" | "little" | "bit", ..] => true,
        [word, ..] => WISHES.contains(word),
        [] => false,
    }
}

/// What something is served on or cut into: behind "en" it says how it is wanted, and names no place.
const SERVED: &[&str] = &[
    "bag",
    "bolillo",
    "bolsa",
    "bread",
    "bun",
    "charola",
    "corn",
    "cubos",
    "cup",
    "flour",
    "harina",
    "lechuga",
    "lettuce",
    "maiz",
    "pan",
    "pedazos",
    "pieces",
    "plate",
    "plato",
    "rebanadas",
    "rodajas",
    "slices",
    "telera",
    "tiras",
    "tortilla",
    "tortillas",
    "trozos",
    "vaso",
    "wheat",
];

const WISHES: &[&str] = &[
    "aparte",
    "bien",
    "caliente",
    "calientes",
    "cold",
    "con",
    "crispy",
    "crujiente",
    "crujientes",
    "doble",
    "dobles",
    "dorada",
    "doradas",
    "dorado",
    "dorados",
    "doradito",
    "doraditos",
    "double",
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
    "actually",
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
    "corrijo",
    "could",
    "d",
    "da",
    "dame",
    "dar",
    "das",
    "deme",
    "denme",
    "dia",
    "dias",
    "digo",
    "disculpa",
    "disculpe",
    "el",
    "encargo",
    "entonces",
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
    "instead",
    "it",
    "joven",
    "la",
    "las",
    "let",
    "like",
    "ll",
    "lo",
    "los",
    "make",
    "manda",
    "mandame",
    "mandar",
    "me",
    "mejor",
    "mi",
    "mis",
    "morning",
    "necesito",
    "need",
    "noches",
    "nos",
    "ok",
    "ordenar",
    "order",
    "para",
    "pedido",
    "pedir",
    "perdon",
    "perdona",
    "perdone",
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
    "pues",
    "que",
    "queremos",
    "quiero",
    "quisiera",
    "quisieramos",
    "rather",
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
    "sorry",
    "tambien",
    "tardes",
    "te",
    "thank",
    "thanks",
    "the",
    "tomar",
    "trae",
    "traeme",
    "unas",
    "unos",
    "us",
    "va",
    "van",
    "vas",
    "ver",
    "want",
    "we",
    "would",
    "ya",
    "yes",
    "you",
];

/// Words with which an order ends.
const CLOSINGS: &[&str] = &[
    "favor", "gracias", "mas", "nada", "please", "por", "porfa", "porfavor", "porfis", "thank",
    "thanks", "you",
];

/// Words that say that nothing more comes: "eso es todo", "that's all".
const ENDS: &[&str] = &["all", "es", "s", "that", "todo"];

pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

pub(super) fn is_closing(word: &str) -> bool {
    CLOSINGS.contains(&word)
}

/// Whether the word orders nothing, whatever stands beside it.
pub(super) fn is_chatter(word: &str) -> bool {
    is_filler(word) || is_closing(word) || ENDS.contains(&word)
}

/// Words that join two things.
pub(super) fn is_and(word: &str) -> bool {
    matches!(
        word,
        "y" | "e" | "and" | "mas" | "plus" | "tambien" | "also" | "luego" | "ademas"
    )
}

/// What is most often left off or put on: after "sin cebolla," more of them may follow.
const INGREDIENTS: &[&str] = &[
    "aceitunas",
    "aderezo",
    "aguacate",
    "ajo",
    "azucar",
    "catsup",
    "cebolla",
    "cebollita",
    "cheese",
    "chile",
    "chiles",
    "cilantro",
    "crema",
    "cream",
    "cucumber",
    "frijol",
    "frijoles",
    "guacamole",
    "hielo",
    "ice",
    "jalapeño",
    "jalapeños",
    "jitomate",
    "ketchup",
    "lechuga",
    "lettuce",
    "limon",
    "mantequilla",
    "mayo",
    "mayonesa",
    "mostaza",
    "mustard",
    "nopales",
    "onion",
    "onions",
    "pepino",
    "pepinillo",
    "pepinillos",
    "picante",
    "pickles",
    "pimienta",
    "piña",
    "queso",
    "rabano",
    "rabanos",
    "sal",
    "salsa",
    "salsas",
    "salt",
    "sauce",
    "sugar",
    "tocino",
    "tomate",
    "tomato",
    "verdura",
    "verduras",
];

/// Whether the words only name what something is made with.
pub(super) fn is_ingredients(words: &[&str]) -> bool {
    let joins =
        |word: &str| is_and(word) || matches!(word, "ni" | "o" | "or" | "nor" | "el" | "la");
    let named = words.iter().filter(|word| !joins(word));
    let mut named = named.peekable();
    named.peek().is_some() && named.all(|word| INGREDIENTS.contains(word))
}

/// Whether something is left off.
pub(super) fn is_without(word: &str) -> bool {
    matches!(word, "sin" | "without" | "no")
}
