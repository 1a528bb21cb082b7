import type { Context } from '../../context.ts'
import { findDrift } from '../../contract/drift.ts'
import { type EndpointName, endpointOf } from '../../contract/endpoints.ts'
import type { Check } from '../../terminal/checks.ts'

export interface SmokeOptions {
  rut?: string
  amount: string
  email: string
  entityId?: string
  preApproveId?: string
  webhookUrl?: string
  mayChange: boolean
}

/** What the checks of one run share. */
export interface SmokeRun {
  context: Context
  options: SmokeOptions
  /** A transaction of this run alone. */
  externalTrxId: string
  preApproveId?: string
  installments?: number
  widgetToken?: string
}

export type Seen = Omit<Check, 'name' | 'ms'>

/** One check: what it is called, whether it changes something, and how it looks. */
export interface Probe {
  name: string
  changes: boolean
  look(): Promise<Seen>
}

export const skipped = (detail: string): Seen => ({ status: 'skipped', detail })

/** Fields that the program looks for though the specification does not show them (gaps 1 and 6): no news. */
const EXPECTED_NEW = /^data\.(preApproveId|idPreAprobacion|0\.(eventTypes|filters|projectId|createdAt))$/

/**
 * Holds an answer against the contract: missing and wrongly typed fields fail, new ones are told.
 * @param detail what to say when all fits
 */
export function heldAgainst(name: EndpointName, data: unknown, detail: string): Seen {
  const drifts = findDrift(endpointOf(name), data)
  const faults = drifts.filter(({ kind }) => kind !== 'new').map(({ path, detail }) => `${path}: ${detail}`)
  const news = drifts.filter(({ kind, path }) => kind === 'new' && !EXPECTED_NEW.test(path)).map(({ path }) => path)
  const told = news.length === 0 ? [] : [`new: ${news.join(', ')}`]
  if (faults.length > 0) {
    return {
      status: 'fail',
      detail: [...faults, ...told].join('; '),
      hint: `The answer differs from the specification (${endpointOf(name).section}).`,
    }
  }
  return news.length === 0
    ? { status: 'ok', detail }
    : {
        status: 'warn',
        detail: [detail, ...told].join('; '),
        hint: 'Fields that the specification does not show; nothing depends on them.',
      }
}
