import type * as z from 'zod/mini'
import type { Advice } from '../../advice.ts'
import type { GapNumber } from '../gaps.ts'
import type { Shapes } from '../shapes.ts'

/** What a status means for the caller: one of the kinds of error. */
type Outcome = 'auth' | 'refused' | 'not-found' | 'rate-limited' | 'service'

export interface StatusMeaning {
  outcome: Outcome
  /** The meaning of the status on this endpoint, as a clause. */
  meaning: string
  /** What the caller can do next, in any program. */
  hint?: string
  /** The same as data, for programs that have better words: the command line names a command. */
  advice?: Advice
  /** Error codes the specification names for this status, each with its meaning. */
  codes?: Readonly<Record<string, string>>
  /** A word that the code of the answer must contain for this meaning, if the specification shows the meaning but no code. */
  codeNames?: string
  /** True when only one of `codes` means this: an answer with the status and no code says something else. */
  onlyWithCode?: boolean
}

/**
 * Whether a call may be sent again after it left this machine without a clear answer (the specification documents no idempotency key).
 * `safe`: a read, or a write whose repetition changes nothing. `never`: a second one could lend twice. `reconcile`: check whether it was
 * carried out before sending it again.
 */
export type Repeat = 'safe' | 'never' | 'reconcile'

/** The setting for the way a list is written in a form (gap 27). */
export const LIST_SETTING = 'bodies.eventTypes'

/** The settings for the encoding of a body whose encoding the specification does not show (gap 10). */
type BodySetting = 'bodies.verification' | 'bodies.registration' | 'bodies.subscription'

/** What a call is about. */
export type Tag = 'payment' | 'webhooks' | 'reports' | 'evaluations'

/**
 * The parts of a call that the specification does not show, each with the number of its gap. For these parts the call has the sandbox's
 * choice, and the OpenAPI document marks it.
 */
interface NotShown {
  path?: GapNumber
  /** The status of a success. */
  status?: GapNumber
  /** Fields of the query. Where it is not set, the call takes none. */
  query?: GapNumber
  /** How the body of the request is encoded. */
  request?: GapNumber
  /** Fields of the request: how a list or an object is written. A field that the request does not name is one of the sandbox's. */
  requestFields?: Readonly<Record<string, GapNumber>>
  /** The shape of a successful answer. */
  answer?: GapNumber
  /** Fields of a successful answer, or of its rows: their type, or when they are absent. */
  answerFields?: Readonly<Record<string, GapNumber>>
  /** Statuses of refusals. */
  statuses?: Readonly<Record<number, GapNumber>>
}

/** The form of a text or a number, where the specification shows one that its type does not say. */
export type Format = 'national-id' | 'email' | 'https' | 'events' | 'uuid' | 'link' | 'fraction' | 'one-each-period'

/** What a call carries, as schemas. */
interface Schemas {
  /** Strict schema of the body: text on the wire, typed in the program. Left out if no body is sent. */
  request?: z.ZodMiniType<object, object>
  /** Loose schema of the answer's `data`: documented fields are checked, all others are kept as sent. */
  data: z.ZodMiniType
}

/**
 * One call of the service, as the specification documents it, as data: its path, the meaning of its answers, and whether it may be
 * repeated.
 * Client, sandbox, library, OpenAPI document, explanations and docs are made from it.
 */
export interface Call {
  tag: Tag
  /** The title of its section in the specification. */
  section: string
  summary: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Path under the base address, parameters in braces. */
  path: string
  /** The parameters of the path, in its order. */
  params: readonly string[]
  /** The parts in which the call says more than the specification shows. */
  notShown: NotShown
  /** The profile setting that gives the path on a real service, if the specification shows no path (gap 14). */
  pathSetting?: 'paths.evaluationByLead' | 'paths.leads' | 'paths.lead'
  /** The profile setting for the encoding of the body, if the specification does not show one (gap 10). */
  bodySetting?: BodySetting
  /** Whether the API key is sent. */
  auth: 'key' | 'none'
  accept: string
  success: { status: number; meaning: string }
  /** Whether a successful answer may have any body, because the specification does not show it. */
  bodyShown: boolean
  /**
   * False if the specification shows the content of `data` but not its wrapping (gap 44). The content is then read wherever it is found.
   */
  dataShapeShown: boolean
  /** What a success without anything in `data` means, if that is not a fault. */
  emptyData?: StatusMeaning
  statuses: Readonly<Record<number, StatusMeaning>>
  /** Whether the specification lists every status of the call. */
  allStatusesShown: boolean
  /** Forms of the fields and path parameters of the request, and of the fields of a successful `data`. */
  formats: { request?: Readonly<Record<string, Format>>; answer?: Readonly<Record<string, Format>> }
  repeat: Repeat
  /** True when it creates, changes or deletes something: a production profile asks first. */
  changes: boolean
  /** How to find out whether a call was carried out when its answer was lost. */
  reconcile?: { how: string; advice: Advice }
  /** Makes its schemas; `endpointOf` holds them. The parameter keeps the schema library out of this table. */
  schemas(shapes: Shapes): Schemas
}

/** The defaults of a call. */
const USUAL = {
  params: [],
  notShown: {},
  auth: 'key',
  accept: 'application/json',
  bodyShown: true,
  dataShapeShown: true,
  statuses: {},
  allStatusesShown: false,
  formats: {},
} as const

type Usual = typeof USUAL

/**
 * Declares a call, filling in what is usual. Its type keeps every name and literal, so that the compiler can check that other tables are
 * complete.
 */
export function call<const Definition extends Omit<Call, keyof Usual> & Partial<Call>>(
  definition: Definition,
): Omit<Usual, keyof Definition> & Definition {
  return { ...USUAL, ...definition }
}

/** One endpoint of the service: a call with its schemas, for code that sends or answers it. */
export interface Endpoint extends Omit<Call, 'schemas'>, Schemas {}
