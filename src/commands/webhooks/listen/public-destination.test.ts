import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Machine, machine } from '../../../../test/kit/harness.ts'
import { decodeForm } from '../../../contract/form.ts'
import { WireFailure, type WireRequest, type WireResponse } from '../../../contract/wire.ts'
import { Interrupted } from '../../../errors.ts'
import { openInbox } from '../../../receiver/file/inbox.ts'

const env = { BNPL_API_KEY: 'test-key-123456', BNPL_BASE_URL: 'https://api.example.com', BNPL_WEBHOOK_SECRET: 'known' }
const LISTEN = 'webhooks listen --port 0 --ready-file ready.json --public-url https://abc.tunnel.example/hook'

let m: Machine
beforeEach(() => {
  m = machine()
})
afterEach(() => m[Symbol.dispose]())

/** A service with destinations; `script` answers in its place. */
function service(script: (request: WireRequest) => Promise<WireResponse> | WireResponse | undefined = () => undefined) {
  const destinations: { id: string; url: string; verificationScheme: string }[] = []
  const answer = (status: number, data: unknown): WireResponse => ({
    status,
    headers: {},
    body: Buffer.from(JSON.stringify({ data })),
  })
  const transport = async (request: WireRequest): Promise<WireResponse> => {
    if (request.method === 'POST') {
      const { url } = decodeForm(new TextDecoder().decode(request.body)) as { url: string }
      destinations.push({ id: `w${destinations.length + 1}`, url, verificationScheme: 'hmac' })
    }
    const scripted = script(request)
    if (scripted) return scripted
    if (request.method === 'GET') return answer(200, destinations)
    if (request.method === 'POST') return answer(201, { ...destinations.at(-1), secret: 'from-the-201' })
    const at = destinations.findIndex(({ id }) => request.url.endsWith(`/${id}`))
    return destinations.splice(at, 1).length > 0 ? answer(200, {}) : answer(404, {})
  }
  return { destinations, transport, answer }
}

test('a new listener removes the destination that a killed listener left at another tunnel address', async () => {
  const s = service()
  s.destinations.push({ id: 'old', url: 'https://xyz.tunnel.example/hook', verificationScheme: 'hmac' })
  const inbox = await openInbox(m.stateDir)
  await inbox.setOwnDestination('https://api.example.com', { id: 'old', url: 'https://xyz.tunnel.example/hook' })
  await inbox.close()
  const over = new AbortController()
  const ended = m.run(LISTEN, { env, transport: s.transport, signal: over.signal })
  await expect.poll(() => existsSync(join(m.dir, 'ready.json'))).toBe(true)
  expect(s.destinations.map(({ url }) => url)).toEqual(['https://abc.tunnel.example/hook'])
  over.abort(new Interrupted())
  expect(await ended).toMatchObject({ code: 130 })
  expect(s.destinations).toEqual([])
})

test('Ctrl-C during an unanswered registration ends the listener and says how to remove a possible destination', async () => {
  const over = new AbortController()
  const s = service(({ method }) => {
    if (method !== 'POST') return undefined
    over.abort(new Interrupted())
    return new Promise(() => {})
  })
  const ran = await m.run(LISTEN, { env, transport: s.transport, signal: over.signal })
  expect(ran.code).toBe(130)
  expect(ran.stderr).toContain('bnpl webhooks rm --url https://abc.tunnel.example/hook')
  expect(existsSync(join(m.dir, 'ready.json'))).toBe(false)
})

test.each([
  [1, true],
  [2, false],
])(
  'without a secret, listen registers at most twice when %i answers are lost, and leaves no destination',
  async (lost, registered) => {
    let posts = 0
    const s = service(({ method }) => {
      if (method !== 'POST' || ++posts > lost) return undefined
      throw new WireFailure('reset', true, 'ECONNRESET')
    })
    const over = new AbortController()
    const own = { ...env, BNPL_WEBHOOK_SECRET: '' }
    const ended = m.run(LISTEN, { env: own, transport: s.transport, signal: over.signal })
    if (registered) {
      await expect.poll(() => existsSync(join(m.dir, 'ready.json'))).toBe(true)
      expect(s.destinations).toHaveLength(1)
      over.abort(new Interrupted())
    }
    expect((await ended).code).toBe(registered ? 130 : 3)
    expect(posts).toBe(2)
    expect(s.destinations).toEqual([])
  },
)

test('if the id of a new destination is unknown, the error says how to remove the destination', async () => {
  let registered = false
  const s = service(({ method }) => {
    registered ||= method === 'POST'
    if (method === 'POST') return s.answer(201, {})
    return registered ? s.answer(503, {}) : undefined
  })
  const ran = await m.run(`${LISTEN} --timeout 1s`, { env, transport: s.transport })
  expect(ran.code).toBe(8)
  expect(ran.stderr).toContain('bnpl webhooks rm --url https://abc.tunnel.example/hook')
})
