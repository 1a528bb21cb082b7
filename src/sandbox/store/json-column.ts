declare const CONTENT: unique symbol

/** JSON text in a column, with the type of its value. Only `toJsonColumn` makes such a text. */
export type Json<T> = string & { readonly [CONTENT]: T }

/** Writes a value for a JSON column. */
export function toJsonColumn<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

/** Reads a value that `toJsonColumn` wrote. */
export function fromJsonColumn<T>(text: Json<T>): T {
  return JSON.parse(text)
}
