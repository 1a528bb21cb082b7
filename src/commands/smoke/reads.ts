import { BnplError } from '../../errors.ts'
import { maskLink } from '../../text/masking.ts'
import { noLoanAnswers } from '../no-loan.ts'
import { readPreApproveId } from '../option-values.ts'
import { heldAgainst, type Probe, type Seen, type SmokeRun, skippedCheck } from './run.ts'

/** Returns the checks of the key and of the list of destinations. They change nothing. */
export function readChecks(run: SmokeRun): Probe[] {
  return [
    { name: 'unknown transaction', changes: false, look: () => unknownTransaction(run) },
    { name: 'destinations', changes: false, look: () => destinations(run) },
  ]
}

/** Returns the check that reads a report. It changes nothing. */
export function reportChecks(run: SmokeRun): Probe[] {
  return [{ name: 'report', changes: false, look: () => report(run) }]
}

/** Verifies a transaction that does not exist. The answer “no loan” also proves that the service accepts the key. */
async function unknownTransaction({ context, externalTrxId }: SmokeRun): Promise<Seen> {
  const api = await context.api()
  const input = { params: { externalTrxId }, body: {} }
  const { mayBeNotYet } = await noLoanAnswers(context)
  const answer = await api.probe('verifyLoan', input).catch((error: unknown) => {
    if (error instanceof BnplError && (error.kind === 'not-found' || mayBeNotYet(error))) return error
    throw error
  })
  if (answer instanceof BnplError)
    return {
      status: 'ok',
      detail: `the key is accepted, and no loan was found (${answer.exchange?.status} ${answer.code})`,
    }
  return { status: 'fail', detail: 'a loan was found for a transaction that does not exist' }
}

async function destinations({ context }: SmokeRun): Promise<Seen> {
  const api = await context.api()
  const { data, odd } = await api.probe('listWebhooks', { params: {}, body: {} })
  return heldAgainst('listWebhooks', data, `${Array.isArray(data) ? data.length : 0} registered`, odd)
}

async function report({ context, options, isSandbox, preApproveId: own }: SmokeRun): Promise<Seen> {
  const given = options.preApproveId && readPreApproveId(context, '--pre-approve-id', options.preApproveId)
  const preApproveId = given ?? (isSandbox ? own : undefined)
  if (preApproveId === undefined)
    return skippedCheck(isSandbox ? 'the evaluation check found no pre-approval' : '--pre-approve-id is missing')
  const api = await context.api()
  const { data, odd } = await api.probe('getInforme', { params: { preApproveId }, body: {} })
  const held = heldAgainst('getInforme', data, 'a link was issued', odd)
  const url =
    typeof data === 'object' && data !== null && 'url' in data && typeof data.url === 'string' ? data.url : undefined
  if (held.status === 'fail' || url === undefined) return held
  const { checkLink } = await import('../../client/link.ts')
  // The request has no key, because the link contains its own credentials.
  const request = {
    method: 'GET',
    url: checkLink(url, api.baseUrl),
    headers: { 'accept-encoding': 'identity' },
    timeoutMs: context.options.timeoutMs,
    maxBytes: 100 * 1024 * 1024,
    freshSocket: true,
    signal: context.signal,
  }
  const pdf = await context.visit(request, maskLink(request.url))
  if (pdf.status === 200 && Buffer.from(pdf.body.subarray(0, 5)).toString('latin1') === '%PDF-') {
    return { ...held, detail: `downloadable, ${pdf.body.length} bytes` }
  }
  return { status: 'fail', detail: `the link does not lead to a PDF (status ${pdf.status})` }
}
