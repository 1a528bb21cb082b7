import { type FaultKind, WireFault } from '../../contract/wire.ts'
import { EXIT_CODES } from '../../errors.ts'
import type { Explanation } from './explanation.ts'

/** These codes also mean that a file is not accessible or that a pipe is closed, so they do not name one cause. */
const ALSO_OF_FILES = new Set(['EACCES', 'EPERM', 'EPIPE'])

/** The request was not sent when these faults happened, so its outcome is always known. */
const BEFORE_SENDING: readonly FaultKind[] = ['refused', 'dns']

/** Returns the meanings of the codes that errors in JSON have when no complete answer arrived, such as `REFUSED`. */
export async function everyFault(): Promise<Explanation[]> {
  const { FAULT_KINDS, faultCode } = await import('../../client/fault-words.ts')
  return Promise.all(FAULT_KINDS.map((kind) => explain(faultCode(kind), kind)))
}

/**
 * Returns the meaning of a code that an error message shows in parentheses, such as `ECONNREFUSED`. Returns an empty
 * list for a code that does not belong to a connection.
 */
export async function faultsOfSystemCode(code: string): Promise<Explanation[]> {
  const { kindOfCode } = await import('../../client/fault-kind.ts')
  const kind = ALSO_OF_FILES.has(code) ? undefined : kindOfCode(code)
  return kind === undefined ? [] : [await explain(code, kind)]
}

async function explain(code: string, fault: FaultKind): Promise<Explanation> {
  const { describeFault } = await import('../../client/fault-words.ts')
  const { kind, what, hint } = describeFault(new WireFault(fault, false, code))
  const meaning = what.replace(` (${code})`, '')
  const unclear = '; if the call was sent and is not safe to repeat, its outcome is unknown (exit 12)'
  return {
    about: 'code',
    code,
    endpoint: null,
    meaning: BEFORE_SENDING.includes(fault) ? meaning : `${meaning}${unclear}`,
    hint: hint.replace('Repeat the call, which is safe', 'Repeat the call, if it is safe to repeat'),
    exit: EXIT_CODES[kind],
    kind,
  }
}
