import type { EndpointName } from '../../contract/endpoints.ts'
import { isRecord } from '../../contract/reading.ts'
import type { Pairing } from './pairing.ts'
import { FIXED_WORDS } from './specimens.ts'

type Reader = (name: string) => unknown

/**
 * For each field, a function that looks at the other fields of the object, and returns the word that the sandbox would write in this field.
 * The function returns undefined if the word is unknown.
 */
const TOLD: Readonly<Record<string, (read: Reader, call: EndpointName | undefined) => string | undefined>> = {
  verificationScheme(read, call) {
    if (call === 'registerWebhook') return 'HMAC'
    if (call === 'subscribeWebhook') return 'token'
    const events = read('eventTypes')
    if (!Array.isArray(events) || events.length === 0) return undefined
    if (events.every((event) => event === 'loan_approved')) return 'HMAC'
    return events.every((event) => event === 'new_lead' || event === 'pre_approve') ? 'token' : undefined
  },
  estado(read) {
    const evaluated = read('idPreAprobacion') ?? read('evaluatedAt')
    return evaluated === undefined || evaluated === null ? 'EN_EVALUACION' : 'EVALUADO'
  },
  resultado(read) {
    const reason = read('motivoRechazo')
    if (reason === undefined) return undefined
    return reason === null ? 'approved' : 'rejected'
  },
}

/**
 * Returns the service's words that differ from the sandbox's words, by the place of the field.
 * @param call undefined for a delivery
 */
export function wordsOf(pairing: Pick<Pairing, 'names' | 'values'>, call?: EndpointName) {
  const words: Record<string, Record<string, string>> = {}
  for (const [place, seen] of pairing.values) {
    const name = place.split('.').at(-1) ?? ''
    const own = place.slice(0, place.length - name.length - 1)
    const fixed = FIXED_WORDS[name]
    const found = fixed === undefined ? told(own, name, pairing, call) : { [fixed]: only(seen) }
    const other = Object.entries(found).flatMap(([word, here]) =>
      here === undefined || here === word ? [] : [[word, here]],
    )
    if (other.length > 0) words[place] = Object.fromEntries(other)
  }
  return words
}

/** Returns the only text in the values; undefined if the values contain different texts or none, or if the recording hides the text. */
function only(values: readonly unknown[]): string | undefined {
  const [text, another] = new Set(values.flat().filter((value) => typeof value === 'string'))
  return another !== undefined || text === undefined || text.startsWith('(') ? undefined : text
}

function told(
  own: string,
  name: string,
  { names, values }: Pick<Pairing, 'names' | 'values'>,
  call: EndpointName | undefined,
): Record<string, string | undefined> {
  const tell = TOLD[name]
  if (tell === undefined) return {}
  const seen = new Map<string, unknown[]>()
  for (const row of values.get(own) ?? []) {
    if (!isRecord(row)) continue
    const read = (field: string): unknown => row[names[`${own}.${field}`] ?? field]
    const word = tell(read, call)
    if (word !== undefined) seen.set(word, [...(seen.get(word) ?? []), read(name)])
  }
  const [first, ...others] = [...seen].map(([word, here]) => [word, only(here)] as const)
  // If the service has one word for two words of the sandbox, no word is learnt.
  if (first !== undefined && others.some(([, here]) => here === first[1])) return {}
  return Object.fromEntries([...seen].map(([word, here]) => [word, only(here)]))
}
