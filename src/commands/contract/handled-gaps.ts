import type { Context } from '../../context.ts'
import { GAPS, type GapNumber } from '../../contract/gaps.ts'

/** A gap in the specification, and what this program does about it. */
export interface HandledGap {
  number: number
  notShown: string
  /** What the command line does, with any service. It never invents a value. */
  cli: string
  /** What the sandbox does. */
  sandbox: string
}

/** What the command line does about each gap. If a gap is missing here, the program does not compile. */
const HANDLED: Readonly<Record<GapNumber, string>> = {
  1: 'look in `data` for `preApproveId`, then `idPreAprobacion`, then the profile setting `preApproveIdField`; else report it as unknown (`null`) with a warning that names the fields that were seen; `select` then asks for `--pre-approve-id`',
  2: 'any string is shown as sent',
  3: 'any string is shown as sent; `--expect-state` compares literally',
  4: 'the user stores it in the profile, or passes `--public-key`',
  5: 'nothing',
  6: 'every field is kept in JSON output; the table shows the known fields',
  7: '`--hmac-algorithm` (default `sha256`), `--hmac-encoding` (`hex`, default, or `base64`), the secret is from the profile, the environment or stdin; a failed check says which settings were tried',
  8: 'from the profile, the environment or stdin',
  9: '`--filter key=value` (repeatable, sent as `filters[key]=value`), `--filters-json`, `--project ID` with the name of the field from the profile setting `projectField`',
  10: 'form-encoded, like every body that the specification shows; an empty object is an empty form body. JSON if the profile setting `bodies.verification`, `bodies.registration` or `bodies.subscription` is `json`',
  11: 'shown as sent; no field names the type of an event, so it is recognized by the scheme of the destination and by `idPreAprobacion` and `urlInforme` in `data`',
  12: 'the receiver treats every delivery as repeatable by `eventId`',
  13: '`urlInforme` is used whole, as received',
  14: 'path taken from the profile settings `paths.evaluationByLead`, `paths.leads`, `paths.lead`; without them the command stops with a clear error that names the setting and `bnpl api`',
  15: 'find a code (`ERR_…`) wherever the body has one (`code`, `error`, `error.code`, `message`, plain text), show the message as sent; never fail on an unknown shape',
  16: '400, 401 and 403 are explained per endpoint, as the contract lists them; another 400 without a code says that the key may be the reason',
  17: 'honour `Retry-After` (seconds or date) when present, else back off with jitter',
  18: 'positive integers; nothing else is refused locally',
  19: 'amounts are integers, grouped for reading, no currency sign unless the profile sets one',
  20: 'any 2xx is success; an empty body is fine',
  21: '404, or a success with nothing in `data`, is reported as "no loan for this transaction" (exit 6). The profile setting `notYet` adds answers that mean the same. Without it, `verify --wait` also waits after 409 and 422. 401, 403 and 429 never mean it.',
  22: 'an absent or empty value and the literal word `undefined` all mean that there is no pre-approval',
  23: 'no version is sent',
  24: 'shape `<digits>-<check character>`; dots are removed; the check character is verified as the RUT modulus-11 digit, and a wrong one is an error that `--skip-rut-check` turns off',
  25: 'opaque string; expiry is counted from the response, 10 minutes',
  26: 'an empty list of options is shown as it is, with a note; a refusal is exit 5 with the code as sent',
  27: 'sent as `eventTypes[]=…`, once for each event; as the profile setting `bodies.eventTypes` says (`brackets`, `repeated`, `indexed`, `comma`), or as a JSON list if `bodies.subscription` is `json`',
  28: 'treated as refused before processing (RFC 6585), so it is sent again after the wait, at most twice',
  29: 'a 4xx that the endpoint does not document is exit 5, with the code and the message as sent',
  30: '`widget-token` and `pay-url` do not require an evaluation',
  31: '`accepted: false` is exit 5; the token may be absent',
  32: 'nothing is refused locally',
  33: 'shown as sent; `installmentAmount` × n need not be the total',
  34: 'shown as sent',
  35: '403 is exit 4, unless the endpoint documents another meaning',
  36: 'shown as sent; `--if-missing` first checks whether the address is registered',
  37: 'shown as sent',
  38: 'explained by status, as the specification lists them',
  39: 'nothing is refused locally',
  40: 'explained by status',
  41: 'no key is ever sent to a report link',
  42: 'the link is followed to any https address, and to http on this machine only. After 400 or 403 a new link is requested once. A report is never requested in parts',
  43: 'an id that the history knows as a `preApproveId` is verified by its `externalTrxId`, with a note. Any other id is sent as given. An answer about another transaction is exit 10, unless that transaction has the id as its `preApproveId`',
  44: 'a list is read wherever it is in `data`; one object is read as a list of one; ids are read as text or as numbers. Each of these gives a warning. `webhooks list`, `leads list` and `leads get` show any other shape as sent',
  45: 'the receiver checks the signature or the token, for every content type; a body of another type is forwarded as JSON',
  46: 'any 2xx is a success; 404 is exit 6 at every endpoint',
  47: 'the receiver answers 200 once the event is stored',
  48: 'answers are read as JSON, whatever their content type is',
  49: 'text of up to 512 characters, or a number, which is read as its digits',
}

/** Returns every gap, in the order of their numbers. */
export function handledGaps(): HandledGap[] {
  return GAPS.map(({ number, notShown, sandbox }) => ({ number, notShown, cli: HANDLED[number], sandbox }))
}

/** The way in which a sandbox answers because a recorded service answered so. It replaces the sandbox's own convention. */
export interface LearntGap {
  /** A description of the answer. If the recordings answered several questions of the gap, it contains several descriptions. */
  answer: string
  /** When the last exchange or delivery was recorded: ISO 8601. */
  at: string
}

/**
 * Returns, for each gap number, what the running sandbox of this machine learnt from recordings. Empty if no sandbox runs, or if the
 * sandbox was started without recordings.
 */
export async function learntGaps(context: Context): Promise<Map<number, LearntGap>> {
  const { readRunning, isAnswering } = await import('../../sandbox/server/running.ts')
  const running = await readRunning(context.world.stateDir)
  const learnt = new Map<number, LearntGap>()
  if (running === undefined || !(await isAnswering(running))) return learnt
  const { like } = await (await context.sandbox()).control('status')
  for (const { gap, answer } of like?.answers ?? []) {
    const known = learnt.get(gap)?.answer
    learnt.set(gap, { answer: known === undefined ? answer : `${known}; ${answer}`, at: like?.learnt.to ?? '' })
  }
  return learnt
}
