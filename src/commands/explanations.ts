import type { Call, StatusMeaning } from '../contract/calls/call.ts'
import { CALLS } from '../contract/calls/calls.ts'
import { GAP_CODES, OWN_CODES, PUBLISHED_CODES } from '../contract/failures/codes.ts'
import {
  describeWireFailure,
  kindOfCode,
  WIRE_FAILURE_KINDS,
  wireFailureCode,
} from '../contract/failures/connections.ts'
import { ERROR_CODES, exits, KIND_WORDS } from '../contract/failures/kinds.ts'
import { GAPS } from '../contract/gaps.ts'
import { statusMeaning } from '../contract/statuses.ts'
import { WireFailure, type WireFailureKind } from '../contract/wire.ts'
import { FAULT_CODE } from '../domain/sandbox-faults.ts'
import { type ErrorKind, EXIT_CODES } from '../errors.ts'
import { hintOf, hintOfCode } from './hints.ts'

export interface Explanation {
  /**
   * `status`: a status of an endpoint; `exit`: an exit code of this program; `sandbox`: a code that only the sandbox or the proxy sends;
   * `error`: the code of an error of this program.
   */
  about: 'code' | 'status' | 'exit' | 'sandbox' | 'error'
  code: string
  /** The endpoint that returns the code, such as `POST /partner/…`; null if the code does not belong to one endpoint. */
  endpoint: string | null
  meaning: string
  hint: string | null
  /** What concerns only the sandbox and the specification, for developers. */
  note?: string
  /** The exit code of a command that receives this code; null for a code of the sandbox. */
  exit: number | null
  kind: string | null
}

/** Returns the meaning of a code, short enough for a list. For a code of the sandbox, it is only the first sentence of the long text. */
export const shortMeaning = ({ about, meaning }: Explanation): string =>
  about === 'sandbox' ? (meaning.split('. ')[0] ?? meaning) : meaning

const ALL: readonly Call[] = Object.values(CALLS)
const KINDS = Object.keys(EXIT_CODES) as ErrorKind[]

/**
 * Returns all known meanings of a code: `ERR_…`, a failure of a connection, a status, an exit code, a kind of error, or the code of an error
 * of bnpl. Returns an empty list for an unknown code.
 */
export async function explanationsOf(query: string): Promise<Explanation[]> {
  const asked = query.trim()
  const number = /^(?:HTTP_|http |exit )?(\d{1,3})$/i.exec(asked)?.[1]
  if (number === undefined) {
    // Upper and lower case matter here: in JSON, `REFUSED` is the code of a failed connection, and `refused` is a kind of error.
    const codes = [
      ...everyCode().filter(({ code }) => code === asked.toUpperCase()),
      ...everyWireFailure().filter(({ code }) => code === asked),
      ...failuresOfSystemCode(asked),
    ]
    if (codes.length > 0) return codes
    // Codes are written with underscores, so a kind of error may be typed with underscores too.
    const ofKind = endings().filter(({ kind }) => kind?.toLowerCase() === asked.toLowerCase().replaceAll('_', '-'))
    if (ofKind.length > 0) return ofKind
    const ofSandbox = (await everySandboxCode()).filter(({ code }) => code === asked.toUpperCase())
    return [...ofSandbox, ...errorsWith(asked.toUpperCase())]
  }
  const value = Number(number)
  if (/^exit /i.test(asked)) return exitOf(value)
  return value >= 200 && value < 600 ? statuses(value) : exitOf(value)
}

/** Returns the meanings of all codes and kinds of errors, except the codes of bnpl’s own errors, because their kinds say what they mean. */
export async function everything(): Promise<Explanation[]> {
  return [...everyCode(), ...(await everySandboxCode()), ...everyWireFailure(), ...endings()]
}

/** Returns the codes and the kinds of errors that `explanationsOf` knows, as they are written. */
export async function knownWords(): Promise<string[]> {
  const explained = (await everything()).flatMap(({ about, code, kind }) => (about === 'exit' ? (kind ?? []) : code))
  return [...explained, ...Object.values(ERROR_CODES).flat()]
}

function everyCode(): Explanation[] {
  const ofCalls = ALL.flatMap((call) =>
    Object.entries(call.statuses).flatMap(([status, meant]) =>
      Object.entries(meant.codes ?? {}).map(
        ([code, meaning]): Explanation => ({
          about: 'code',
          code,
          endpoint: `${lineOf(call)} (${status})`,
          meaning,
          hint: hintOf(meant) ?? null,
          ...endOf(meant.outcome),
        }),
      ),
    ),
  )
  const published = Object.entries(PUBLISHED_CODES).map(
    ([code, status]): Explanation => ({
      about: 'code',
      code,
      endpoint: null,
      meaning: `a code that banca.me publishes for the status ${status}, without a description`,
      hint: 'Read the message of the service, which says what happened.',
      ...endOf(statusMeaning(undefined, status, code).outcome),
    }),
  )
  return [...ofCalls, ...published]
}

function statuses(status: number): Explanation[] {
  const own = ALL.flatMap((call): Explanation[] => {
    const { statuses: documented, success } = call
    const endpoint = lineOf(call)
    if (success.status === status)
      return [
        { about: 'status', code: String(status), endpoint, meaning: success.meaning, hint: null, exit: 0, kind: null },
      ]
    const found = documented[status]
    if (!found) return []
    return [{ about: 'status', code: String(status), endpoint, ...said(found) }]
  })
  if (status < 300) return own
  const anywhere = said(statusMeaning(undefined, status))
  const [where, there] = own.length === 0 ? ['every endpoint', ''] : ['every other endpoint', ' there']
  const unclear = status >= 500 ? '; if the call is not safe to repeat, its outcome is unknown (exit 12)' : ''
  const general = `on ${where}: ${anywhere.meaning} (the specification does not list this status${there})${unclear}`
  return [...own, { about: 'status', code: String(status), endpoint: null, ...anywhere, meaning: general }]
}

const exitOf = (value: number): Explanation[] => endings().filter(({ exit }) => exit === value)

function endings(): Explanation[] {
  return exits().map((end) => ({ about: 'exit', code: String(end.exit), endpoint: null, ...end }))
}

/** Returns an explanation for each kind of bnpl’s own errors in which the given code occurs. */
function errorsWith(code: string): Explanation[] {
  return KINDS.filter((kind) => ERROR_CODES[kind].includes(code)).map((kind) => ({
    about: 'error',
    code,
    endpoint: null,
    meaning: `a code of bnpl, not of the service: ${KIND_WORDS[kind].meaning}`,
    hint: 'Read the message and the hint of the error, which say what happened and what to do.',
    ...endOf(kind),
  }))
}

/**
 * Returns the codes that only the sandbox or the proxy sends: codes of answers that the specification does not show, the code of an added
 * fault, and codes of the sandbox's own server and of the proxy.
 */
async function everySandboxCode(): Promise<Explanation[]> {
  const ofSandbox = { about: 'sandbox', endpoint: null, exit: null, kind: null } as const
  const gapsOf = Map.groupBy(
    GAPS.flatMap(({ number, notShown, sandbox }) =>
      [...new Set(sandbox.match(/(?<=`)ERR_[A-Z0-9_]+(?=`)/g))].map((code) => ({
        code,
        gap: `gap ${number}: ${notShown}`,
      })),
    ),
    ({ code }) => code,
  )
  const ofGaps = [...gapsOf].map(([code, gaps]) => ({
    ...ofSandbox,
    code,
    meaning: String(GAP_CODES[code]?.meaning),
    hint: hintOfCode(code, undefined) ?? null,
    note: `Only the sandbox sends this code, because the specification shows no code for this case (${gaps.map(({ gap }) => gap).join('; ')}). Expect another code from a real service; its message is shown as it was sent`,
  }))
  return [
    ...ofGaps.toSorted((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)),
    {
      ...ofSandbox,
      code: FAULT_CODE,
      meaning: 'a fault that was added to the sandbox. A real service never answers with this code',
      hint: 'List the faults: bnpl sandbox fault list',
    },
    ...Object.entries(OWN_CODES).map(([code, { meaning }]) => ({
      ...ofSandbox,
      code,
      meaning,
      hint: hintOfCode(code, undefined) ?? null,
    })),
  ]
}

/** These codes also mean that a file is not accessible or that a pipe is closed, so they do not name one cause. */
const ALSO_OF_FILES = new Set(['EACCES', 'EPERM', 'EPIPE'])

/** The request was not sent when these failures happened, so its outcome is always known. */
const BEFORE_SENDING: readonly WireFailureKind[] = ['refused', 'dns']

/** Returns the meanings of the codes that errors in JSON have when no complete answer arrived, such as `REFUSED`. */
const everyWireFailure = (): Explanation[] =>
  WIRE_FAILURE_KINDS.map((kind) => explainWireFailure(wireFailureCode(kind), kind))

/**
 * Returns the meaning of a code that an error message shows in parentheses, such as `ECONNREFUSED`. Returns an empty
 * list for a code that does not belong to a connection.
 */
function failuresOfSystemCode(code: string): Explanation[] {
  const kind = ALSO_OF_FILES.has(code) ? undefined : kindOfCode(code)
  return kind === undefined ? [] : [explainWireFailure(code, kind)]
}

function explainWireFailure(code: string, failure: WireFailureKind): Explanation {
  const { kind, what, hint } = describeWireFailure(new WireFailure(failure, false, code))
  const meaning = what.replace(` (${code})`, '')
  return {
    about: 'code',
    code,
    endpoint: null,
    meaning: BEFORE_SENDING.includes(failure)
      ? meaning
      : `${meaning}; if the call was sent and is not safe to repeat, its outcome is unknown (exit 12)`,
    hint: hint.replace('Repeat the call, which is safe', 'Repeat the call, if it is safe to repeat'),
    exit: EXIT_CODES[kind],
    kind,
  }
}

const said = (status: StatusMeaning) => ({
  meaning: status.meaning,
  hint: hintOf(status) ?? null,
  ...endOf(status.outcome),
})
const endOf = (kind: ErrorKind) => ({ exit: EXIT_CODES[kind], kind })
const lineOf = ({ method, path }: Call) => `${method} ${path}`
