import { type ReadBody, readMessageBody } from './bodies.ts'
import { isKnownWord } from './code-words.ts'
import { kindOfField } from './field-kinds.ts'
import type { createTextCleaner } from './text-cleaner.ts'
import { isServiceWord } from './vocabulary.ts'

const NO_NAME = /^(?:av|calle|da|das|de|del|den|depto|der|di|do|dos|dto|el|la|las|los|of|pje|san|santa|van|von)$/i

/** A field in a body of several parts (`multipart/form-data`), with its name and the first line of its value. */
const PART = /\bname="([^"\r\n]{1,64})"(?:[^\r\n]*\r?\n){1,4}?\r?\n([^\r\n]{1,1024})/g

/**
 * Returns functions that collect the people and the secrets in an exchange. This must be done before any text is cleaned, because a name may be in the path, and
 * only a later field shows that it is a name.
 */
export function createLearner({ people, secrets }: ReturnType<typeof createTextCleaner>) {
  const text = (value: string, name: string): void => {
    if (value === '') return
    const kind = kindOfField(name)
    if (kind === 'secret') {
      if (!isServiceWord(value)) secrets.learn(value)
    } else if (kind === 'words' || kind === 'person') {
      const words = value.match(/[\p{L}\p{M}]{2,}/gu) ?? []
      people.learn('words', words.filter((word) => !NO_NAME.test(word) && !isKnownWord(word.toLowerCase())).join(' '))
    } else if (kind === 'email') {
      // Do not treat the name of a mailbox such as `pagos@…` as a person's name, because transaction ids may contain that word.
      if (!isKnownWord(value.split('@', 1)[0]?.trim().toLowerCase() ?? '')) people.learn(kind, value)
    } else if (kind === 'rut' || kind === 'digits') people.learn(kind, value)
    const inside = /^(?:ey|ew|W[wy1])[\w+/-]{6,}={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.from(value)
    if (/^\s*[[{"]/.test(String(inside.subarray(0, 16)))) body(readMessageBody(inside, 'application/json'))
  }
  const json = (value: unknown, name: string): void => {
    if (typeof value === 'string') text(value, name)
    else if (typeof value === 'number') text(String(value), name)
    else if (Array.isArray(value)) for (const item of value) json(item, name)
    else if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
      for (const [key, item] of Object.entries(value)) json(item, key)
  }
  const body = (read: ReadBody | undefined): void => {
    if (read === undefined) return
    if ('json' in read) json(read.json, '')
    else if ('form' in read) for (const { name, value } of read.form) text(value, name)
    else if ('text' in read) for (const [, name = '', value = ''] of read.text.matchAll(PART)) text(value, name)
  }
  return { text, body }
}
