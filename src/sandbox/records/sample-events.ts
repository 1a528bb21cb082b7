import { randomBytes } from 'node:crypto'
import type { EventType } from '../../contract/integrations.ts'
import { newTransactionId } from '../../domain/identifiers.ts'
import { installmentPlan } from '../../domain/installments.ts'
import { addressesOf, DEFAULT_PORT, MONTHLY_RATE } from '../conventions.ts'
import { newId } from '../store/stamps.ts'
import type { LeadRow } from '../store/tables.ts'
import { newContact } from './contact.ts'
import { evaluationRecord, loanApprovedRecord, newLeadRecord } from './records.ts'
import { newRiskDetails } from './risk.ts'
import { TEST_CUSTOMERS } from './test-customers.ts'

/** `data` of an event as the sandbox would send it, of people and loans that do not exist (gap 11). @param now ms */
export function sampleEvent(event: EventType, now: number, random: () => number): Record<string, unknown> {
  return SAMPLES[event](now, random)
}

const AMOUNT = 250_000
const PERIODS = 6
const LEAD_AMOUNT = 60_000_000

const SAMPLES: Record<EventType, (now: number, random: () => number) => Record<string, unknown>> = {
  loan_approved(now, random) {
    const { installmentAmount, lastInstallmentAmount } = installmentPlan(AMOUNT, PERIODS, MONTHLY_RATE)
    return loanApprovedRecord({
      partnerId: '',
      externalTrxId: newTransactionId(now, random),
      preApproveId: newId(now),
      loanAmount: AMOUNT,
      interestRate: MONTHLY_RATE,
      periods: PERIODS,
      installmentAmount,
      lastInstallmentAmount,
      state: 'ACTIVE',
      transferDate: new Date(now).toISOString().slice(0, 10),
    })
  },
  new_lead: (now, random) => newLeadRecord(sampleLead(now, random)),
  pre_approve(now, random) {
    const lead = sampleLead(now, random)
    const { baseUrl } = addressesOf(`http://127.0.0.1:${DEFAULT_PORT}`)
    const signer = { baseUrl, signingSecret: randomBytes(16).toString('hex') }
    const partner = {
      id: '',
      position: 0,
      name: 'Sample',
      product: 'real-estate',
      evaluationModule: 1,
      active: 1,
    } as const
    const evaluated = {
      id: newId(now),
      preLoanRequestId: newId(now),
      partnerId: '',
      leadId: lead.id,
      externalTrxId: null,
      idNumber: lead.idNumber,
      amount: LEAD_AMOUNT,
      outcome: 'approved',
      options: [],
      details: newRiskDetails('approved', LEAD_AMOUNT, random),
      createdAt: new Date(now).toISOString(),
    } as const
    return evaluationRecord(signer, { ...partner, apiKey: '', publicKey: '', entityId: '' }, evaluated, lead)
  },
}

function sampleLead(now: number, random: () => number): LeadRow {
  const at = new Date(now).toISOString()
  const rut = TEST_CUSTOMERS[0]?.rut ?? ''
  return {
    id: newId(now),
    partnerId: '',
    idNumber: rut,
    projectId: null,
    outcome: 'approved',
    contact: JSON.stringify(newContact(rut, random)),
    createdAt: at,
    evaluateAt: at,
    preApproveId: null,
  }
}
