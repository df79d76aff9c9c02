//! The words of made-up texts, and questions about them.
//!
//! Words are as unequally frequent as those of a language: the n-th occurs about 1/n as often as the
//! first. The most frequent say nothing, the next are those of the list, and a long tail stands for
//! names, brands and codes.

use super::chance::Chance;
use quipu_core::analysis;
use quipu_core::language::Language;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// How many different words there are.
const WORDS: usize = 30_000;
/// One question in so many asks for something by a rare name.
const NAMED: usize = 4;
/// Where the seeds of words and questions begin, far from those of chunks.
const FIRST_WORD: u64 = 1 << 61;
const FIRST_QUESTION: u64 = 1 << 62;

const FREQUENT: &str = "de la que el en y a los se del las un por con no una su para es al lo como \
    más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue era \
    muy hasta desde está";

/// With their article, so that questions can be put together.
const NOUNS: &str = "el precio;la limpieza;la cita;el horario;el pedido;el envío;la tienda;el cliente;\
    la garantía;la factura;el pago;la tarjeta;el descuento;la devolución;el producto;el servicio;\
    la consulta;el tratamiento;la entrega;el plazo;la dirección;el local;la reserva;la mesa;el menú;\
    la habitación;el desayuno;el curso;la matrícula;el profesor;la clase;el examen;el certificado;\
    el seguro;la póliza;el coche;la revisión;el aceite;el motor;la reparación;el repuesto;el taller;\
    la mascota;el perro;el gato;la vacuna;la receta;el medicamento;la farmacia;el análisis;el médico;\
    la enfermera;el dentista;la muela;el empaste;la radiografía;la ortodoncia;el blanqueamiento;\
    la alfombra;el sofá;la cocina;el baño;la ventana;la pintura;la obra;el presupuesto;el contrato;\
    la cláusula;el abogado;la herencia;el divorcio;el alquiler;la fianza;el piso;la hipoteca;\
    el banco;la cuenta;el préstamo;el interés;la cuota;el recibo;el impuesto;la declaración;\
    la empresa;el empleado;la nómina;el despido;las vacaciones;el permiso;el uniforme;el turno;\
    la tarifa;el equipaje;el vuelo;el hotel;la excursión;el guía;el autobús;la estación;el billete;\
    el asiento;la maleta;el pasaporte;el visado;la playa;la piscina;el gimnasio;la cuota anual;\
    el entrenador;la dieta;el masaje;la peluquería;el corte;el tinte;la manicura;la crema;\
    el perfume;la talla;el color;el zapato;la camisa;el abrigo;el regalo;la caja;la bolsa;el papel;\
    la imprenta;el cartel;el diseño;la página;el correo;la contraseña;el teléfono;la pantalla;\
    la batería;el cable;la impresora;la red;el servidor;la copia;la licencia;el programa;la avería;\
    el técnico;la visita;la instalación;la caldera;el radiador;el aire;el filtro;la placa;\
    la energía;el contador;el agua;el grifo;la fuga;la humedad;el jardín;la planta;el riego;\
    la semilla;el abono;la pizza;la tarta;el pan;el café;el vino;la carne;el pescado;la alergia;\
    el gluten;la leche;el huevo;la fruta;la verdura;el aceite de oliva;la boda;el cumpleaños;\
    la fiesta;la música;la foto;el vídeo;el alquiler de equipos;la carpa;el aparcamiento;la plaza";

const OTHERS: &str = "abrir cerrar pagar cambiar recoger llevar comprar vender reservar cancelar \
    confirmar llamar escribir preguntar atender incluir necesitar tardar llegar salir enviar recibir \
    devolver reparar revisar limpiar montar instalar medir probar elegir firmar presentar solicitar \
    gratis nuevo usado grande pequeño rápido urgente disponible anual mensual semanal diario lunes \
    martes miércoles jueves viernes sábado domingo mañana tarde noche hora minuto semana mes año \
    euro sol dólar efectivo transferencia persona niño adulto familia grupo mayor menor primera \
    segunda mínimo máximo parcial total mitad doble extra especial oficial legal fiscal online";

const QUESTIONS: [&str; 12] = [
    "¿Cuánto cuesta {a} con {b} para {c}?",
    "¿Dónde puedo recoger {a} sin {b} ni {c}?",
    "¿Hay algún descuento en {a} por {b} y {c}?",
    "¿Qué incluye {a} para {b} durante {c}?",
    "¿Se puede cambiar {a} por {b} según {c}?",
    "¿Cómo reservo {a} para {b} con {c}?",
    "¿Cuándo llega {a} con {b} hasta {c}?",
    "¿Necesito llevar {a} y {b} para {c}?",
    "¿Aceptan ustedes {a} o {b} en {c}?",
    "¿Qué pasa con {a} sin {b} ante {c}?",
    "¿Quién atiende {a} sobre {b} en {c}?",
    "¿Cuánto tarda {a} entre {b} y {c}?",
];

pub(crate) struct Words {
    /// The words by their frequency, each with its term unless it says nothing.
    all: Vec<(String, Option<String>)>,
    /// For each word, how often it or one before it occurs, as a share.
    upto: Vec<f64>,
    nouns: Vec<&'static str>,
}

impl Words {
    /// The words, which are made once.
    pub(crate) fn all() -> Arc<Self> {
        static ALL: LazyLock<Arc<Words>> = LazyLock::new(|| Arc::new(Words::new()));
        Arc::clone(&ALL)
    }

    fn new() -> Self {
        let nouns: Vec<&str> = NOUNS.split(';').map(str::trim).collect();
        let mut words: Vec<String> = FREQUENT.split_whitespace().map(str::to_owned).collect();
        words.extend(nouns.iter().flat_map(|noun| last_words(noun)));
        words.extend(OTHERS.split_whitespace().map(str::to_owned));
        let mut seen = HashSet::new();
        words.retain(|word| seen.insert(word.clone()));
        let written = words.len();
        words.extend((written..WORDS).map(|number| made_up(number as u64)));
        let mut sum = 0.0;
        let mut upto: Vec<f64> = (1_u32..)
            .take(words.len())
            .map(|rank| {
                sum += 1.0 / f64::from(rank);
                sum
            })
            .collect();
        for share in &mut upto {
            *share /= sum;
        }
        let with_term = |word: String| {
            let term = analysis::terms(&word, Language::Es).pop();
            (word, term)
        };
        Self {
            all: words.into_iter().map(with_term).collect(),
            upto,
            nouns,
        }
    }

    fn place(&self, chance: &mut Chance) -> usize {
        let share = chance.share();
        let place = self.upto.partition_point(|upto| *upto <= share);
        place.min(self.all.len() - 1)
    }

    /// The terms of a text of so many words. Those that say nothing leave none.
    pub(crate) fn terms(&self, count: usize, chance: &mut Chance) -> Vec<String> {
        (0..count)
            .filter_map(|_| self.all[self.place(chance)].1.clone())
            .collect()
    }

    fn rare(&self, chance: &mut Chance) -> &str {
        let tail = self.all.len() / 2;
        &self.all[tail + chance.below(self.all.len() - tail)].0
    }

    fn question(&self, number: u64) -> String {
        let mut chance = Chance::new(FIRST_QUESTION + number);
        let [a, b, c] = [(); 3].map(|()| *chance.of(&self.nouns));
        let named = chance.below(NAMED) == 0;
        let question = chance.of(&QUESTIONS).replace("{a}", a).replace("{b}", b);
        if named {
            let name = format!("el modelo {}", self.rare(&mut chance));
            return question.replace("{c}", &name);
        }
        question.replace("{c}", c)
    }

    /// So many questions of which no two are alike, so that no cache answers one. Each `series`
    /// has others.
    pub(crate) fn questions(&self, series: u64, count: usize) -> Vec<String> {
        let mut seen = HashSet::new();
        (series << 32..)
            .map(|number| self.question(number))
            .filter(|question| seen.insert(question.clone()))
            .take(count)
            .collect()
    }
}

/// The words of a noun behind its article.
fn last_words(noun: &str) -> Vec<String> {
    noun.split_whitespace().skip(1).map(str::to_owned).collect()
}

fn made_up(number: u64) -> String {
    let mut chance = Chance::new(FIRST_WORD + number);
    (0..4)
        .flat_map(|_| {
            let consonant = char::from(*chance.of(b"bcdfglmnprstvz"));
            let vowel = char::from(*chance.of(b"aeiou"));
            [consonant, vowel]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_distinct_and_of_a_person_s_length() {
        let words = Words::all();
        let questions = words.questions(1, 2_000);
        let distinct: HashSet<&String> = questions.iter().collect();
        assert_eq!(distinct.len(), 2_000);
        for question in &questions {
            let count = question.split_whitespace().count();
            assert!((8..=14).contains(&count), "{question}");
            assert!(!question.contains('{'), "{question}");
        }
        let others = words.questions(2, 100);
        assert!(
            others
                .iter()
                .filter(|other| distinct.contains(other))
                .count()
                < 5
        );
    }

    #[test]
    fn frequent_words_are_frequent() {
        let words = Words::all();
        let mut chance = Chance::new(1);
        let mut first = 0;
        for _ in 0..10_000 {
            first += usize::from(words.place(&mut chance) == 0);
        }
        // The first of 30,000 words whose frequency falls as 1/n is about one in eleven.
        assert!((700..1_100).contains(&first), "{first}");
        let terms = words.terms(80, &mut chance);
        assert!((30..70).contains(&terms.len()), "{}", terms.len());
    }
}
