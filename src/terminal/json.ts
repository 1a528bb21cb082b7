/**
 * JSON for stdout. Characters that control a terminal (DEL, C1, direction overrides; JSON itself escapes the others) become `\u` escapes,
 * so that the document stays the same and is harmless on a terminal.
 */
export function toJson(value: unknown, indent?: number): string {
  return harmlessJson(JSON.stringify(value, null, indent) ?? 'null')
}

/** The same for text that is already JSON. */
export function harmlessJson(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
