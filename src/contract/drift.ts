import * as z from 'zod/mini'
import type { Endpoint } from './calls/call.ts'
import { mismatch } from './mismatch.ts'

interface Drift {
  kind: 'missing' | 'type' | 'new'
  path: string
  detail: string
}

/** Returns all differences between `data` and the contract. New fields are listed too, but they are not errors. */
export function findDrift(endpoint: Pick<Endpoint, 'data' | 'bodyShown'>, data: unknown): Drift[] {
  const drifts: Drift[] = []
  const checked = endpoint.bodyShown ? z.safeParse(endpoint.data, data) : undefined
  for (const issue of checked?.error?.issues ?? []) {
    const detail = mismatch(issue, data)
    drifts.push({ kind: detail === 'missing' ? 'missing' : 'type', path: ['data', ...issue.path].join('.'), detail })
  }
  collectNew(endpoint.data, data, 'data', drifts)
  return drifts
}

function collectNew(schema: z.core.$ZodType, value: unknown, path: string, drifts: Drift[]): void {
  const { def } = schema._zod
  if (Array.isArray(value) && def.type === 'array') {
    // Look at the first row only, because the other rows normally have the same fields.
    for (const row of value.slice(0, 1)) collectNew((def as z.core.$ZodArrayDef).element, row, `${path}.0`, drifts)
    return
  }
  if (typeof value !== 'object' || value === null || def.type !== 'object') return
  const { shape } = def as z.core.$ZodObjectDef
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (known) collectNew(known, field, `${path}.${name}`, drifts)
    else drifts.push({ kind: 'new', path: `${path}.${name}`, detail: 'not in the specification' })
  }
}
