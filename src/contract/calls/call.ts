import type * as z from 'zod/mini'
import type { Advice } from '../../errors.ts'
import type { FieldName, PathSetting } from '../description.ts'
import type { GapNumber } from '../gaps.ts'
import type { Shapes } from '../shapes.ts'

type Outcome = 'auth' | 'refused' | 'not-found' | 'rate-limited' | 'service'

export interface StatusMeaning {
  outcome: Outcome
  meaning: string
  hint?: string
  /** The hint as data, from which the command line makes its own hint with `bnpl` commands. */
  advice?: Advice
  /** The error codes that the specification names for this status, each with its meaning. */
  codes?: Readonly<Record<string, string>>
  /** The meaning applies only to error codes that contain this word. */
  codeNames?: string
  /** True if the meaning applies only to answers with a code in `codes`. */
  onlyWithCode?: boolean
}

/**
 * Whether a call may be sent again when its answer was lost (the specification documents no idempotency key). `safe`: yes. `never`: no,
 * because a second loan could be created. `reconcile`: only after a check whether the call was carried out.
 */
export type Repeat = 'safe' | 'never' | 'reconcile'

export const LIST_SETTING = 'bodies.eventTypes'

type BodySetting = 'bodies.verification' | 'bodies.registration' | 'bodies.subscription'

export type Tag = 'payment' | 'webhooks' | 'reports' | 'evaluations'

/**
 * The parts of a call that the specification does not show, each with its number in the list `GAPS`. `status` and `answer` are about a
 * successful answer, and `statuses` are about refusals.
 */
interface NotShown {
  path?: GapNumber
  status?: GapNumber
  /** The gap about the fields of the query; undefined if the call has no query. */
  query?: GapNumber
  request?: GapNumber
  /**
   * The gaps about single fields of the body, by field name. If the specification shows no name, the sandbox's own name for the field is
   * used, such as `projectId`.
   */
  requestFields?: Readonly<Record<string, GapNumber>>
  answer?: GapNumber
  answerFields?: Readonly<Record<string, GapNumber>>
  statuses?: Readonly<Record<number, GapNumber>>
}

export type Format = 'national-id' | 'email' | 'https' | 'events' | 'uuid' | 'link' | 'fraction' | 'one-each-period'

interface Schemas {
  /** Strict schema of the body before it is encoded, so amounts are numbers here; undefined if the call sends no body. */
  request?: z.ZodMiniType<object, object>
  /** Loose schema of the answer's `data`. Fields that it does not name are kept as sent. */
  data: z.ZodMiniType
}

export interface PathParameter {
  name: string
  /** What the value is, for the OpenAPI document. */
  meaning: string
}

/** One call of the service as data. Client, sandbox, library, OpenAPI document, explanations and docs are all derived from it. */
export interface Call {
  tag: Tag
  section: string
  summary: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  params: readonly PathParameter[]
  notShown: NotShown
  /** The profile setting with the path on a real service, if the specification shows no path (gap 14). */
  pathSetting?: PathSetting
  /** The profile setting for the encoding of the body, if the specification shows none (gap 10). */
  bodySetting?: BodySetting
  /** Whether the body is always JSON. Left out if it is a form, or if `bodySetting` decides. */
  writesJson?: true
  auth: 'key' | 'none'
  accept: string
  success: { status: number; meaning: string }
  /** False if the specification does not show the body of a successful answer. Then any body is accepted. */
  bodyShown: boolean
  /** False if the specification does not show the shape of `data` (gap 44). Then the answer is also read in other likely shapes. */
  dataShapeShown: boolean
  /** The meaning of a success with an empty `data`. Left out if an empty `data` is a fault of the service. */
  emptyData?: StatusMeaning
  /**
   * Fields of `data` that a service may leave out if it sends another field, which then implies their value. Left out if every field that
   * the schema requires must be sent.
   */
  implied?: Readonly<Record<string, { by: string; value: unknown }>>
  /** The field of the description that says whether a service has this call. Left out for the calls of the specification. */
  describedBy?: 'cancel' | 'entities'
  /**
   * Fields that the specification does not have, because only other services know them. Each has the field of the description that says
   * whether a service knows it.
   */
  published?: { request?: Readonly<Record<string, FieldName>>; answer?: Readonly<Record<string, FieldName>> }
  statuses: Readonly<Record<number, StatusMeaning>>
  allStatusesShown: boolean
  /** The formats of fields and path parameters of the request, and of fields in the `data` of a successful answer. */
  formats: { request?: Readonly<Record<string, Format>>; answer?: Readonly<Record<string, Format>> }
  repeat: Repeat
  /** True when the call creates, changes or deletes something. With a production profile, the user is asked first. */
  changes: boolean
  /** How to find out whether the call was carried out, when its answer was lost. */
  reconcile?: { how: string; advice: Advice }
  /** Makes the schemas. The shapes are a parameter, so that the table of calls does not load the schema library. */
  schemas(shapes: Shapes): Schemas
}

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

/** Returns a call's definition with the defaults added. Its literal types are kept, so that the compiler can check translations. */
export function call<const Definition extends Omit<Call, keyof Usual> & Partial<Call>>(
  definition: Definition,
): Omit<Usual, keyof Definition> & Definition {
  return { ...USUAL, ...definition }
}

export interface Endpoint extends Omit<Call, 'schemas'>, Schemas {}
