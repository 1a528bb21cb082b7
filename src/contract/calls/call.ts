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
  /** What the caller can do next, in words that suit any program. */
  hint?: string
  /** The hint as data. The command line turns it into the command to run. */
  advice?: Advice
  /** The error codes that the specification names for this status, each with its meaning. */
  codes?: Readonly<Record<string, string>>
  /** A word that the error code of an answer must contain to have this meaning. Used if the specification shows no code for the meaning. */
  codeNames?: string
  /**
   * True when only the codes in `codes` have this meaning. An answer with the same status and without such a code has the general meaning
   * of the status.
   */
  onlyWithCode?: boolean
}

/**
 * Whether a call may be sent again after it left this machine without a clear answer (the specification documents no idempotency key).
 * `safe`: a read, or a write whose repetition changes nothing. `never`: a second call could create a second loan. `reconcile`: check
 * whether it was carried out before sending it again.
 */
export type Repeat = 'safe' | 'never' | 'reconcile'

/** The setting that says how a list is written in a form-encoded body (gap 27). */
export const LIST_SETTING = 'bodies.eventTypes'

/** The settings for the encoding of a body whose encoding the specification does not show (gap 10). */
type BodySetting = 'bodies.verification' | 'bodies.registration' | 'bodies.subscription'

/** What a call is about. */
export type Tag = 'payment' | 'webhooks' | 'reports' | 'evaluations'

/**
 * The parts of a call that the specification does not show, each with the number of its gap. The description of the call contains the
 * sandbox's choice for these parts, and the OpenAPI document marks them.
 */
interface NotShown {
  path?: GapNumber
  /** The gap for the status of a success. */
  status?: GapNumber
  /** The gap for the fields of the query. A call without this gap has no query. */
  query?: GapNumber
  /** The gap for the encoding of the request's body. */
  request?: GapNumber
  /**
   * The fields of the request that are a list or an object, each with the gap about how it is written. A field that is not in the schema
   * exists only in the sandbox.
   */
  requestFields?: Readonly<Record<string, GapNumber>>
  /** The gap for the shape of a successful answer. */
  answer?: GapNumber
  /** Fields of a successful answer or of its rows, each with the gap about its type, or about the cases in which it is absent. */
  answerFields?: Readonly<Record<string, GapNumber>>
  /** The statuses of refusals, each with its gap. */
  statuses?: Readonly<Record<number, GapNumber>>
}

/** The form of a text or a number, where the specification says more than its type. */
export type Format = 'national-id' | 'email' | 'https' | 'events' | 'uuid' | 'link' | 'fraction' | 'one-each-period'

/** The bodies of a call, as schemas. */
interface Schemas {
  /** Strict schema of the body. On the wire all values are text; in the program they have types. Left out if the call sends no body. */
  request?: z.ZodMiniType<object, object>
  /** Loose schema of the answer's `data`. Documented fields are checked; all other fields are kept as sent. */
  data: z.ZodMiniType
}

/**
 * One call of the service, as the specification documents it, as data: its path, the meaning of its answers, and whether it may be
 * repeated. Client, sandbox, library, OpenAPI document, explanations and docs are all derived from these descriptions.
 */
export interface Call {
  tag: Tag
  /** The title of the call's section in the specification. */
  section: string
  summary: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Path under the base address, with parameters in braces. */
  path: string
  /** The names of the parameters in the path, in the order of the path. */
  params: readonly string[]
  /** The parts of this description that the specification does not show. */
  notShown: NotShown
  /** The profile setting that gives the path on a real service, if the specification shows no path (gap 14). */
  pathSetting?: 'paths.evaluationByLead' | 'paths.leads' | 'paths.lead'
  /** The profile setting for the encoding of the body, if the specification does not show one (gap 10). */
  bodySetting?: BodySetting
  /** Whether the API key is sent. */
  auth: 'key' | 'none'
  accept: string
  success: { status: number; meaning: string }
  /** Whether the specification shows the body of a successful answer. If it does not, any body is accepted. */
  bodyShown: boolean
  /**
   * False if the specification shows the content of `data` but not what is around it (gap 44). The content is then searched inside other
   * fields too.
   */
  dataShapeShown: boolean
  /** What it means when a success has nothing in `data`, if that is not a fault of the service. */
  emptyData?: StatusMeaning
  statuses: Readonly<Record<number, StatusMeaning>>
  /** Whether the specification lists every status of the call. */
  allStatusesShown: boolean
  /** Forms of the fields and path parameters of the request, and of the fields of a successful `data`. */
  formats: { request?: Readonly<Record<string, Format>>; answer?: Readonly<Record<string, Format>> }
  repeat: Repeat
  /** True when the call creates, changes or deletes something. With a production profile, the user is asked first. */
  changes: boolean
  /** How to find out whether the call was carried out, when its answer was lost. */
  reconcile?: { how: string; advice: Advice }
  /** Makes the schemas, which `endpointOf` stores. The shapes are a parameter, so that this table does not load the schema library. */
  schemas(shapes: Shapes): Schemas
}

/** Properties that most calls have. */
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
 * Declares a call, and adds the usual properties. The type keeps every name and literal, so that the compiler can check that other tables
 * have an entry for each call.
 */
export function call<const Definition extends Omit<Call, keyof Usual> & Partial<Call>>(
  definition: Definition,
): Omit<Usual, keyof Definition> & Definition {
  return { ...USUAL, ...definition }
}

/** One endpoint of the service: a call with its schemas, for code that sends or answers it. */
export interface Endpoint extends Omit<Call, 'schemas'>, Schemas {}
