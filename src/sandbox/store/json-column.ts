declare const CONTENT: unique symbol

/** JSON text in a column, with the type of its value. Only `toJsonColumn` makes such a text. */
export type Json<T> = string & { readonly [CONTENT]: T }

/** Returns a value as text for a JSON column. */
export function toJsonColumn<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

/** Returns the value of a text that `toJsonColumn` made. */
export function fromJsonColumn<T>(text: Json<T>): T {
  return JSON.parse(text)
}
