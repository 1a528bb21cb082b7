import * as z from 'zod/mini'
import { ENDPOINT_NAMES } from '../../../contract/endpoints.ts'
import { addRequest } from '../../store/requests.ts'
import { iso } from '../../store/store.ts'
import { toJsonColumn } from '../../store/tables.ts'
import { malformed } from '../refusal.ts'
import { requestId } from '../request-log.ts'
import { type ControlActions, controlAction } from './control-action.ts'

export const PASSED_AT_ONCE = 200

const difference = z.object({ where: z.string(), expected: z.string(), seen: z.string() })

const input = z.object({
  service: z.string().check(z.maxLength(300)),
  exchanges: z
    .array(
      z.object({
        /** How long ago the exchange began, in ms. A time of day would be useless, because the sandbox has its own clock. */
        agoMs: z.int().check(z.gte(0)),
        endpoint: z.nullable(z.enum(ENDPOINT_NAMES)),
        method: z.string().check(z.maxLength(20)),
        /** The path, without personal data and secrets. */
        path: z.string(),
        status: z.nullable(z.int()),
        ms: z.number().check(z.gte(0)),
        problems: z.array(difference).check(z.maxLength(100)),
      }),
    )
    .check(z.maxLength(PASSED_AT_ONCE)),
})

/**
 * `passed {service, exchanges}`: stores calls that `bnpl proxy` passed on to another service, so that the window can show them.
 * Bodies and headers are not stored.
 */
const passed = controlAction(async (given, { store, clock, random }) => {
  const read = input.safeParse(given)
  if (!read.success) throw malformed(`${read.error.issues[0]?.path.join('.')} is not in the form that bnpl proxy sends`)
  const { service, exchanges } = read.data
  const now = clock.now()
  store.transaction((db) => {
    for (const { agoMs, endpoint, method, path, status, ms, problems } of exchanges) {
      const at = now - agoMs
      addRequest(
        db,
        {
          id: requestId(at),
          at: iso(at),
          partner: null,
          method,
          path: path.slice(0, 1_000),
          status: status ?? 0,
          ms: Math.round(ms),
          requestBody: null,
          responseBody: null,
          fault: null,
          passed: toJsonColumn({ service, endpoint, problems }),
        },
        random() < 0.005,
      )
    }
  })
  return { kept: exchanges.length }
})

export const passedControl = { passed } satisfies ControlActions
