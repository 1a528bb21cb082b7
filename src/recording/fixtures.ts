import { eventOf } from '../domain/envelope.ts'
import type { Entry, RecordedBody, RecordedDelivery, RecordedExchange } from './entries.ts'

interface Fixture {
  file: string
  content: {
    method: string
    path: string
    request: unknown
    status: number
    response?: unknown
  }
}

interface FixtureIndex {
  file: string
  endpoint: string
  method: string
  path: string
  status: number
  /** How many recorded entries belong to this file. The file contains only the last of them. */
  count: number
  recordedAt: string
}

interface FixtureSet {
  add(entry: Entry): void
  fixtures(): Fixture[]
  index(): FixtureIndex[]
}

/** Collects the fixtures of a recording: one file for each call and status, and one for each event type. */
export function createFixtures(): FixtureSet {
  const found = new Map<string, { fixture: Fixture; index: FixtureIndex }>()
  return {
    add(entry) {
      const made = fixtureOf(entry)
      if (made === undefined) return
      const { method, path, status } = made.content
      const endpoint = made.file.split('/')[0] ?? ''
      const count = (found.get(made.file)?.index.count ?? 0) + 1
      found.set(made.file, {
        fixture: made,
        index: { file: made.file, endpoint, method, path, status, count, recordedAt: entry.at },
      })
    },
    fixtures: () => sorted(found).map(({ fixture }) => fixture),
    index: () => sorted(found).map(({ index }) => index),
  }
}

const sorted = (found: Map<string, { fixture: Fixture; index: FixtureIndex }>) =>
  [...found.values()].sort(({ fixture: a }, { fixture: b }) => (a.file < b.file ? -1 : 1))

function fixtureOf(entry: Entry): Fixture | undefined {
  if (entry.kind === 'delivery') return ofDelivery(entry)
  return entry.kind === 'exchange' ? ofExchange(entry) : undefined
}

function ofExchange({ endpoint, request, response }: RecordedExchange): Fixture | undefined {
  if (endpoint === undefined || response === undefined || !/^\w+$/.test(endpoint)) return undefined
  const { method, path } = request
  return {
    file: `${endpoint}/${response.status}.json`,
    content: {
      method,
      path,
      request: bodyValue(request.body),
      status: response.status,
      response: bodyValue(response.body),
    },
  }
}

function ofDelivery({ request, response, signature }: RecordedDelivery): Fixture {
  const body = bodyValue(request.body)
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  const event = data === undefined ? 'other' : eventOf(signature?.scheme ?? 'hmac', data)
  const { method, path } = request
  return {
    file: `delivery/${event}.json`,
    content: { method, path, request: body, status: response.status },
  }
}

function bodyValue(body: RecordedBody | undefined): unknown {
  if (body === undefined || 'omitted' in body) return null
  if ('json' in body) return body.json
  if ('text' in body) return body.text
  const fields: [string, string | string[]][] = []
  for (const [name, value] of body.form) {
    const before = fields.find(([each]) => each === name)
    if (before === undefined) fields.push([name, value])
    else before[1] = [before[1], value].flat()
  }
  return Object.fromEntries(fields)
}
