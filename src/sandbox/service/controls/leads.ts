import { parseRut, rutCheckCharacter } from '../../../domain/identifiers.ts'
import { CLOCK_LIMIT, LEAD_EVALUATION_MS } from '../../conventions.ts'
import { customerFate } from '../../records/customers.ts'
import { findLead } from '../../store/leads.ts'
import { listPartners } from '../../store/partners.ts'
import { iso } from '../../store/stamps.ts'
import type { PartnerRow } from '../../store/tables.ts'
import { createLead, finishDueEvaluations } from '../leads.ts'
import { malformed, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { type ControlActions, controlAction, flagInput, noSuchAccount, textInput, timeInput } from './control-action.ts'

/**
 * `lead {rut?, outcome?, projectId?, partner?, evaluateInMs?, now?}`: creates a lead of a real-estate account. Its evaluation finishes
 * after `evaluateInMs` of the sandbox's time, or at once with `now`.
 */
const lead = controlAction(async (input, service) => {
  const rut = readRut(textInput(input, 'rut'), service.random)
  const outcome = textInput(input, 'outcome') ?? (customerFate(rut) === 'rejected' ? 'rejected' : 'approved')
  if (outcome !== 'approved' && outcome !== 'rejected') throw malformed('outcome must be approved or rejected')
  const partner = await receiver(service, textInput(input, 'partner'))
  const projectId = textInput(input, 'projectId')
  const evaluateInMs = flagInput(input, 'now')
    ? 0
    : (timeInput(input, 'evaluateInMs', CLOCK_LIMIT) ?? LEAD_EVALUATION_MS)
  const now = service.clock.now()
  const asked = { rut, outcome, evaluateInMs, ...(projectId === undefined ? {} : { projectId }) } as const
  const created = await createLead(service, partner, asked, now)
  await finishDueEvaluations(service, now)
  const known = findLead(service.store.db, partner.id, created.id)
  return {
    leadId: created.id,
    partner: partner.name,
    outcome,
    createdAt: iso(now),
    evaluateAt: created.evaluateAt,
    preApproveId: known?.preApproveId ?? null,
  }
})

async function receiver({ store }: Service, name: string | undefined): Promise<PartnerRow> {
  const partners = listPartners(store.db)
  const partner = partners.find((each) =>
    name === undefined ? each.product === 'real-estate' && each.evaluationModule === 1 : each.name === name,
  )
  if (partner === undefined) throw noSuchAccount()
  if (partner.product === 'real-estate') return partner
  throw new Refusal(
    422,
    'ERR_PARTNER_HAS_NO_LEADS',
    `${partner.name} is a BNPL account, but only real-estate accounts have leads`,
  )
}

function readRut(text: string | undefined, random: () => number): string {
  if (text === undefined) {
    const digits = String(5_000_000 + Math.floor(random() * 20_000_000))
    return `${digits}-${rutCheckCharacter(digits)}`
  }
  const parsed = parseRut(text)
  if (parsed.ok) return parsed.rut
  throw new Refusal(
    400,
    'ERR_INVALID_ID_NUMBER',
    parsed.problem === 'check'
      ? `the check digit of rut is wrong: for this number it is ${parsed.expected}`
      : 'rut is not a RUT such as 12345678-5',
  )
}

export const leadControls = { lead } satisfies ControlActions
