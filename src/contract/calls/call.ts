/** What a status means to whoever reads it; the words are exit kinds of the command line. */
export type Outcome = 'auth' | 'refused' | 'not-found' | 'rate-limited' | 'service'

export interface StatusMeaning {
  outcome: Outcome
  /** What the status says on this endpoint, one clause. */
  meaning: string
  /** What the reader can do next. */
  hint?: string
  /** Error codes the specification names for this status, each with its meaning. */
  codes?: Readonly<Record<string, string>>
  /** What a code that came with the status must speak of for it to mean this, where the specification shows the meaning and no code. */
  codeNames?: string
}

/**
 * Whether a call may be sent again after it left this machine and no clear answer came (the specification documents no idempotency key).
 * `safe`: a read, or a write whose repetition changes nothing. `never`: a second one could lend twice. `reconcile`: look first, then
 * once more.
 */
export type Repeat = 'safe' | 'never' | 'reconcile'

/**
 * One call of the service as the specification documents it: where it goes, what its answers mean, whether it may be repeated. Without
 * its schemas, so that what explains and lists calls loads no schema library.
 */
export interface Call<Params extends string = string> {
  /** The title of its section in the specification. */
  section: string
  summary: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Path under the base address, parameters in braces. */
  path: string
  params: readonly Params[]
  /** The profile setting that gives the path on a real service, where the specification shows none (gaps 13 and 14). */
  pathSetting?: 'paths.evaluationByLead' | 'paths.leads' | 'paths.lead'
  /** Whether the API key is sent. */
  auth: 'key' | 'none'
  accept: string
  success: { status: number; meaning: string }
  /** A success whose body the specification does not show is accepted whatever it holds. */
  bodyShown: boolean
  statuses: Readonly<Record<number, StatusMeaning>>
  repeat: Repeat
  /** True when it creates, changes or deletes something: a production profile asks first. */
  changes: boolean
  /** The command that tells what became of a call whose answer was lost. */
  reconcile?: string
}

/** Declares a call, keeping the names of its parameters. */
export function call<const Params extends string>(definition: Call<Params>): Call<Params> {
  return definition
}
