declare const CONTENT: unique symbol

/** JSON text in a column, with the type of what it holds. Only `toJsonColumn` makes one. */
export type Json<T> = string & { readonly [CONTENT]: T }

/** Writes a value for a JSON column. */
export function toJsonColumn<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

/** Reads a JSON column. The sandbox wrote it with `toJsonColumn`, so it holds what its type says. */
export function fromJsonColumn<T>(text: Json<T>): T {
  return JSON.parse(text)
}
