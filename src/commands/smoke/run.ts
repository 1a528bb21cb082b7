import type { Context } from '../../context.ts'
import { compareData, detailOf, placeOf } from '../../contract/compare/data.ts'
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

export interface SmokeRun {
  context: Context
  options: SmokeOptions
  /** Whether the service is a sandbox of this machine. Its test customer and its report are known, so no option has to name them. */
  isSandbox: boolean
  externalTrxId: string
  preApproveId?: string
  installments?: number
  widgetToken?: string
}

export type Seen = Omit<Check, 'name' | 'ms'>

export interface Probe {
  name: string
  changes: boolean
  look(): Promise<Seen>
}

/** Returns the result of a check that was not run. @param detail the reason */
export const skippedCheck = (detail: string): Seen => ({ status: 'skipped', detail })

/** The specification does not show these fields, but the program knows them, so they are not reported as new. */
const EXPECTED_NEW = /^data\.(preApproveId|idPreAprobacion|0\.(eventTypes|filters|projectId|createdAt))$/

/**
 * Returns the result of a check that compares an answer with the contract. A missing field or a wrong type is a failure. A new field, or a
 * shape that the specification leaves open, is a warning.
 * @param detail what to say when the answer is as specified
 * @param odd how the shape of a readable answer differs from the contract; undefined if it does not differ
 */
export function heldAgainst(name: EndpointName, data: unknown, detail: string, odd?: string): Seen {
  const { differences } = compareData(endpointOf(name), data, 'strict')
  const faults = differences
    .filter(({ kind }) => kind !== 'new')
    .map((each) => `${placeOf(each)}: ${detailOf(each, data)}`)
  const news = differences
    .filter(({ kind }) => kind === 'new')
    .map(placeOf)
    .filter((place) => !EXPECTED_NEW.test(place))
  const newFields = news.length === 0 ? [] : [`new: ${news.join(', ')}`]
  if (faults.length > 0) {
    return {
      status: 'fail',
      detail: [...faults, ...newFields].join('; '),
      hint: `Report this to the operator of the service, because the answer differs from the specification (${endpointOf(name).section}).`,
    }
  }
  if (odd !== undefined) {
    return {
      status: 'warn',
      detail: [detail, odd, ...newFields].join('; '),
      hint: 'Make sure that your own program reads this shape too. Every bnpl command reads it.',
    }
  }
  return news.length === 0
    ? { status: 'ok', detail }
    : {
        status: 'warn',
        detail: [detail, ...newFields].join('; '),
        hint: 'Do not depend on the fields after “new:”, which the specification does not show.',
      }
}
