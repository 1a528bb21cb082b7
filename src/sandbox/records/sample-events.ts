import { randomBytes } from 'node:crypto'
import type { EventType } from '../../contract/integrations.ts'
import { newTransactionId } from '../../domain/identifiers.ts'
import { installmentPlan } from '../../domain/installments.ts'
import { addressesOf } from '../addresses.ts'
import { DEFAULT_PORT, MONTHLY_RATE } from '../conventions.ts'
import { toJsonColumn } from '../store/json-column.ts'
import { iso, newId } from '../store/stamps.ts'
import { newContact, newRiskDetails, TEST_CUSTOMERS } from './customers.ts'
import { fullEvaluationRecord, loanApprovedRecord, newLeadRecord, transferDateOf } from './records.ts'

/**
 * Returns the `data` of an event as the sandbox would send it, about invented people and loans (gap 11).
 * @param now ms since 1970. A time before 1970 or after `LATEST`, from a wrong clock, is replaced with the nearest time between them
 */
export function sampleEvent(event: EventType, now: number, random: () => number): Record<string, unknown> {
  return SAMPLES[event](Math.min(Math.max(0, now), LATEST), random)
}

/** The latest time of a sample. The last installment is due later, and its year must still have four digits. */
const LATEST = Date.UTC(9998, 0)

const AMOUNT = 250_000
const PERIODS = 6
const LEAD_AMOUNT = 60_000_000

const SAMPLES: Record<EventType, (now: number, random: () => number) => Record<string, unknown>> = {
  loan_approved(now, random) {
    const { installmentAmount, lastInstallmentAmount } = installmentPlan(AMOUNT, PERIODS, MONTHLY_RATE)
    return loanApprovedRecord({
      externalTrxId: newTransactionId(now, random),
      preApproveId: newId(now),
      loanAmount: AMOUNT,
      interestRate: MONTHLY_RATE,
      periods: PERIODS,
      installmentAmount,
      lastInstallmentAmount,
      state: 'ACTIVE',
      transferDate: transferDateOf(now),
    })
  },
  new_lead: (now, random) => newLeadRecord(sampleLead(now, random)),
  pre_approve(now, random) {
    const lead = sampleLead(now, random)
    const { baseUrl } = addressesOf(`http://127.0.0.1:${DEFAULT_PORT}`)
    const signer = { baseUrl, signingSecret: randomBytes(16).toString('hex') }
    const evaluated = {
      id: newId(now),
      preLoanRequestId: newId(now),
      leadId: lead.id,
      idNumber: lead.idNumber,
      amount: LEAD_AMOUNT,
      outcome: 'approved',
      details: newRiskDetails('approved', LEAD_AMOUNT, random),
      createdAt: iso(now),
    } as const
    return fullEvaluationRecord(signer, { name: 'Sample', environment: 'beta' }, evaluated, lead)
  },
}

function sampleLead(now: number, random: () => number) {
  const idNumber = TEST_CUSTOMERS[0]?.rut ?? ''
  return { id: newId(now), idNumber, projectId: null, contact: toJsonColumn(newContact(idNumber, random)) }
}
