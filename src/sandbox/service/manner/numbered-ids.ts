import { createHash } from 'node:crypto'
import type { Manner } from '../../../contract/manner.ts'
import type { WireRequest } from '../../../contract/wire.ts'
import type { Db } from '../../store/tables.ts'

/** If the imitated service has numeric ids, clients get numbers instead of the sandbox's own ids. This is the smallest of these numbers. */
const LEAST = 2 ** 47

/** Returns the number that represents an id. It has 15 digits, and is always the same for the same id. */
export function numberOfId(id: string): number {
  return LEAST + (createHash('sha256').update(id).digest().readUIntBE(0, 6) % LEAST)
}

const NUMBER = /(?<!\d)[12]\d{14}(?!\d)/g

const IS_ID = /(^|\.)(id|id[A-Z]\w*|\w+Id)$/

/** Returns whether a service writes at least one id as a number. */
export function hasNumberedIds({ calls, deliveries }: Manner): boolean {
  const answers = Object.values(calls).map(({ success }) => success?.types)
  const events = Object.values(deliveries?.events ?? {}).map(({ types }) => types)
  const types = [...answers, ...events, deliveries?.types]
  return types.some((each) =>
    Object.entries(each ?? {}).some(([place, type]) => type === 'number' && IS_ID.test(place)),
  )
}

/** Returns a request in which the numbers that represent ids are replaced by the sandbox's own ids. */
export async function withOwnIds(db: Db, request: WireRequest): Promise<WireRequest> {
  const body = request.body === undefined ? '' : new TextDecoder().decode(request.body)
  const numbers = new Set([...request.url.matchAll(NUMBER), ...body.matchAll(NUMBER)].map(([digits]) => Number(digits)))
  if (numbers.size === 0) return request
  const known = await idsOf(db, numbers)
  if (known.size === 0) return request
  const replaced = (text: string) => text.replace(NUMBER, (digits) => known.get(Number(digits)) ?? digits)
  return { ...request, url: replaced(request.url), ...(request.body && { body: Buffer.from(replaced(body)) }) }
}

const TABLES = ['webhooks', 'leads', 'preApprovals', 'loanRequests'] as const

async function idsOf(db: Db, numbers: ReadonlySet<number>): Promise<Map<number, string>> {
  const known = new Map<number, string>()
  for (const table of TABLES) {
    for (const { id } of await db.selectFrom(table).select('id').execute()) {
      const number = numberOfId(id)
      if (numbers.has(number)) known.set(number, id)
    }
  }
  return known
}
