import { parseDuration } from '../domain/clock.ts'

/** The closed type of a field of a description: which texts are an answer, and what each of them means. */
export interface Kind<Value> {
  /** Returns what a text means. The text must have no `problem`. */
  read(text: string): Value
  /** Returns why a text is not an answer; undefined if it is one. */
  problem(text: string): string | undefined
}

/** A kind whose answers are the texts that `parse` does not answer with undefined. */
function kind<Value>(form: string, parse: (text: string) => Value | undefined): Kind<Value> {
  return {
    problem: (text) => (parse(text) === undefined ? form : undefined),
    read(text) {
      const value = parse(text)
      if (value === undefined) throw new TypeError(form)
      return value
    },
  }
}

const listOf = <Value>(text: string, parse: (item: string) => Value | undefined): Value[] | undefined => {
  const items = text.split(',').map((item) => parse(item.trim()))
  return items.includes(undefined) ? undefined : (items as Value[])
}

const whole = (text: string): number | undefined => (/^\d{1,12}$/.test(text) ? Number(text) : undefined)

export const oneOf = <const Word extends string>(...words: Word[]): Kind<Word> =>
  kind(`it must be one of ${words.join(', ')}`, (text) => words.find((word) => word === text))

export const YES_NO: Kind<boolean> = kind('it must be yes or no', (text) =>
  text === 'yes' || text === 'no' ? text === 'yes' : undefined,
)

export const FIELD_NAME: Kind<string> = kind('it must consist of letters, digits, “_”, “.” and “-”', (text) =>
  /^[\w.-]{1,64}$/.test(text) ? text : undefined,
)

/** The text with which ids begin, or an empty text for `none`. */
export const PREFIX: Kind<string> = kind('it must be letters, digits, “_” and “-”, such as evt_, or none', (text) =>
  /^[\w-]{1,16}$/.test(text) ? (text === 'none' ? '' : text) : undefined,
)

/** The name of a header, in lower case. */
export const HEADER: Kind<string> = kind('it must be the name of a header, such as service-signature', (text) =>
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(text) ? text.toLowerCase() : undefined,
)

export const MEDIA_TYPE: Kind<string> = kind('it must be a media type, such as application/json', (text) =>
  /^[\w.+-]+\/[\w.+-]+(; ?[\w.-]+=[\w.-]+)?$/.test(text) ? text : undefined,
)

const isPath = (text: string) =>
  /^\/[^\s?#\\]*$/.test(text) && !/(^|\/)\.\.?(\/|$)/.test(text) && !text.startsWith('//')

const A_PATH = 'it must be a path such as /partner/leads'

export const PATH: Kind<string> = {
  read: (text) => text,
  problem: (text) => (isPath(text) ? (/[{}]/.test(text) ? 'it must not contain braces' : undefined) : A_PATH),
}

/** A path with a parameter, such as `{leadId}`. The client does not know a value for any other parameter. */
export const pathWith = (parameter: string, what: string): Kind<string> => ({
  read: (text) => text,
  problem: (text) =>
    (isPath(text) ? undefined : A_PATH) ??
    (text.includes(`{${parameter}}`) ? undefined : `it must contain {${parameter}} where the ${what} belongs`) ??
    (/[{}]/.test(text.replace(`{${parameter}}`, ''))
      ? `it may contain only {${parameter}} in braces, and only once`
      : undefined),
})

export const CODE: Kind<string> = kind('it must be a code such as ACTIVE', (text) =>
  /^\w{1,64}$/.test(text) ? text : undefined,
)

/** Codes such as the names of states, separated by commas. */
export const CODES: Kind<readonly string[]> = kind('it must be codes such as ACTIVE,PAID', (text) =>
  listOf(text, (item) => (/^\w{1,64}$/.test(item) ? item : undefined)),
)

export const WHOLE_NUMBERS: Kind<readonly number[]> = kind('it must be whole numbers such as 3,6,12', (text) =>
  listOf(text, whole),
)

export const status = (...statuses: number[]): Kind<number> =>
  kind(`it must be one of ${statuses.join(', ')}`, (text) => statuses.find((each) => String(each) === text))

/** From the smallest to the largest whole number, such as `1000-50000000`. */
export const RANGE: Kind<{ min: number; max: number }> = kind(
  'it must be two whole numbers such as 1000-50000',
  (text) => {
    const [min, max] = text.split('-').map(whole)
    return min === undefined || max === undefined || min > max || text.split('-').length !== 2
      ? undefined
      : { min, max }
  },
)

/** A duration in ms, or undefined for `none`. */
export const DURATION_OR_NONE: Kind<{ ms: number | undefined }> = kind(
  'it must be a duration such as 5m, or none',
  (text) => {
    if (text === 'none') return { ms: undefined }
    const ms = parseDuration(text)
    return ms === undefined ? undefined : { ms }
  },
)

const WEEK_MS = 7 * 86_400_000

const limitedDuration = (text: string): number | undefined => {
  const ms = parseDuration(text)
  return ms === undefined || ms > WEEK_MS ? undefined : ms
}

/** A duration in ms. */
export const DURATION: Kind<number> = kind(
  'it must be a duration such as 5s',
  (text) => limitedDuration(text) || undefined,
)

/** Up to twenty durations in ms, separated by commas. `none` is an empty list. */
export const DURATIONS: Kind<readonly number[]> = kind(
  'it must be up to 20 durations such as 5s,30s,5m, or none',
  (text) => {
    if (text === 'none') return []
    const waits = listOf(text, limitedDuration)
    return waits === undefined || waits.length > 20 ? undefined : waits
  },
)

/** How many calls at once, then how many in which time, such as `1000, then 250/1s`. */
export const RATE: Kind<{ burst: number; perSecond: number }> = kind(
  'it must be a rate such as 100/1m, or calls at once and a rate such as 1000+250/1s',
  (text) => {
    const [, burst, count = '', time = ''] = /^(?:(\d{1,9})\+)?(\d{1,9})\/(\w+)$/.exec(text) ?? []
    const ms = parseDuration(time)
    if (!ms || Number(count) === 0) return undefined
    return { burst: Number(burst ?? count), perSecond: (1000 * Number(count)) / ms }
  },
)

/** With these statuses the service refused the key or asked for a pause, so they never mean “no loan yet”. */
const NEVER = new Set([401, 403, 429])

/** Statuses and the word `empty`, separated by commas. */
export const NOT_YET: Kind<{
  statuses: ReadonlySet<number>
  /** Whether a success with nothing in `data` means “no loan yet”. */
  empty: boolean
  /** The answer of a sandbox with this description. */
  first: number | 'empty'
}> = kind(
  'it must be statuses from 400 to 499 (not 401, 403 or 429), the word “empty”, or both, such as 404,409,422,empty',
  (text) => {
    const words = listOf(text, (word) => {
      if (word === 'empty') return 'empty' as const
      return /^4\d\d$/.test(word) && !NEVER.has(Number(word)) ? Number(word) : undefined
    })
    const [first] = words ?? []
    if (words === undefined || first === undefined) return undefined
    const statuses = new Set(words.filter((word) => word !== 'empty'))
    return { statuses, empty: words.includes('empty'), first }
  },
)

/** An address of a service, or undefined for `none`. */
export const ADDRESS: Kind<{ url: string | undefined }> = kind('it must be an https address, or none', (text) => {
  if (text === 'none') return { url: undefined }
  return URL.canParse(text) && new URL(text).protocol === 'https:' ? { url: text } : undefined
})
