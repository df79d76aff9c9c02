//! Maps and sets for words that the program itself brings along: as no stranger chooses what is kept
//! in them, they are hashed for speed.

use foldhash::fast::RandomState;

pub type QuickMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type QuickSet<T> = std::collections::HashSet<T, RandomState>;
