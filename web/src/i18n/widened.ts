/** The same keys with other words: how a language is held against Spanish, where texts are written first. */
export type Widened<T> = T extends (...given: infer G) => string
  ? (...given: G) => string
  : T extends string
    ? string
    : { [K in keyof T]: Widened<T[K]> };
