import { UNSEEN } from './unseen-characters.ts'

/**
 * Text from the service, a file or the user is hostile until cleaned: control characters, escape sequences, C1, DEL and
 * the characters that reorder text are shown instead of obeyed.
 * @param keepLines true to keep line feeds and tabs, for text that is ours around theirs
 */
export function visible(text: string, keepLines = false): string {
  return text.replace(UNSEEN, (character) => {
    if (keepLines && (character === '\n' || character === '\t')) return character
    return NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
