/**
 * The characters that a reader does not see and that change what is read or done: control characters (escape sequences begin with one),
 * C1, DEL, those that reorder or hide text, line separators, and halves of a character.
 */
export const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu
