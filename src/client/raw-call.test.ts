import { expect, test } from 'vitest'
import { fakeClock } from '../../test/kit/harness.ts'
import { WireFailure, type WireRequest, type WireResponse } from '../contract/wire.ts'
import { maskTarget } from '../domain/addresses.ts'
import { Interrupted } from '../errors.ts'
import { type RawRequest, rawCall } from './raw-call.ts'
import type { ApiClientOptions } from './request.ts'

/** Makes one raw call to a service that gives this answer after 7 ms. */
function called(
  raw: Partial<RawRequest>,
  answer: Partial<WireResponse> | Error = {},
  options: Partial<ApiClientOptions> = {},
) {
  const clock = fakeClock()
  clock.advance(3)
  const sent: WireRequest[] = []
  const attempts: unknown[] = []
  const outcome = rawCall(
    {
      async transport(request) {
        sent.push(request)
        clock.advance(7)
        if (answer instanceof Error) throw answer
        return { status: 200, headers: {}, body: new Uint8Array(), ...answer }
      },
      baseUrl: 'https://api.example.com/v1/',
      apiKey: 'key-123456',
      clock,
      random: () => 0.5,
      timeoutMs: 10_000,
      onAttempt: (attempt) => attempts.push(attempt),
      ...options,
    },
    { method: 'GET', path: '/partner/other', ...raw },
    { address: maskTarget, answer: (response) => response },
  )
  return { outcome, sent, attempts }
}

const KEY_STAYS = 'it begins like a complete address, but the key is sent only to the address of the profile'
const BAD_CHARACTER = 'it contains a character that must be encoded in an address'
const DOTS = '“.” and “..” would lead to another path'

test.each([
  ['https://evil.example/x', KEY_STAYS],
  ['x:', KEY_STAYS],
  ['Z9+.-:x', KEY_STAYS],
  ['//evil.example/x', KEY_STAYS],
  ['/\\evil.example/x', KEY_STAYS],
  ['\\\\evil.example', KEY_STAYS],
  ['', 'it must begin with /'],
  ['evil.example/x', 'it must begin with /'],
  ['1a:x', 'it must begin with /'],
  ['a b:x', 'it must begin with /'],
  ['a//b', 'it must begin with /'],
  ['/a\u0000', BAD_CHARACTER],
  ['/a b', BAD_CHARACTER],
  ['/a\u007fb', BAD_CHARACTER],
  ['/a\u009fb', BAD_CHARACTER],
  ['/a\\b', BAD_CHARACTER],
  ['/a#b', BAD_CHARACTER],
  ['/.', DOTS],
  ['/../admin', DOTS],
  ['/a/./b?c', DOTS],
  ['/a/..?c', DOTS],
  ['/%2e/a', DOTS],
  ['/a/.%2E', DOTS],
])('the path %j is refused before anything is sent: %s', async (path, why) => {
  const { outcome, sent } = called({ path })
  await expect(outcome).rejects.toMatchObject({
    kind: 'usage',
    code: 'BAD_PATH',
    message: `the path “${path}” cannot be called: ${why}`,
    hint: 'Write a path such as /partner/webhook.',
  })
  expect(sent).toEqual([])
})

test.each([
  ['/', '/'],
  ['/a//b', '/a//b'],
  ['/a:b', '/a:b'],
  ['/!~', '/!~'],
  ['/\u00a0', '/%C2%A0'],
  ['/...', '/...'],
  ['/.a/b.', '/.a/b.'],
  ['/x%2e/%2ex', '/x%2e/%2ex'],
  ['/a?b=/../c', '/a?b=/../c'],
])('the path %j is called under the base address', async (path, under) => {
  const { outcome, sent } = called({ path })
  await outcome
  expect(sent.map(({ url }) => url)).toEqual([`https://api.example.com/v1${under}`])
})

test('a secret in a refused path is masked in the error', async () => {
  await expect(called({ path: 'x?token=canary' }).outcome).rejects.toThrow('the path “x?token=••••” cannot')
})

test('a raw call sends the key and its body once, and reports the attempt with a masked address', async () => {
  const body = Buffer.from('a=1')
  const { outcome, sent, attempts } = called({ method: 'PUT', path: '/p?token=canary', body, contentType: 'text/x' })
  expect(await outcome).toEqual({ response: { status: 200, headers: {}, body: new Uint8Array() }, failure: undefined })
  expect(sent).toEqual([
    {
      method: 'PUT',
      url: 'https://api.example.com/v1/p?token=canary',
      headers: {
        accept: 'application/json',
        'user-agent': 'bnpl',
        authorization: 'Bearer key-123456',
        'content-type': 'text/x',
      },
      body,
      timeoutMs: 10_000,
      maxBytes: 10 * 1024 * 1024,
      freshSocket: true,
    },
  ])
  expect(attempts).toEqual([{ method: 'PUT', url: 'https://api.example.com/v1/p?token=••••', result: 200, ms: 7 }])
})

test('only GET and HEAD are reads outside the contract; a call of the contract has the summary of the contract', async () => {
  const asked = async (method: string, path: string) => {
    let known: unknown
    const beforeSend: ApiClientOptions['beforeSend'] = async ({ summary, changes }) => {
      known = { summary, changes }
    }
    const { outcome, sent } = called({ method, path }, {}, { beforeSend })
    await outcome
    return { ...(known as object), fresh: sent[0]?.freshSocket }
  }
  for (const method of ['GET', 'HEAD'])
    expect(await asked(method, '/o?token=canary')).toEqual({
      summary: `call ${method} /o?token=••••`,
      changes: false,
      fresh: false,
    })
  for (const method of ['POST', 'DELETE'])
    expect(await asked(method, '/o')).toEqual({ summary: `call ${method} /o`, changes: true, fresh: true })
  for (const path of ['/partner/webhook', '/partner/webhook?a=1'])
    expect(await asked('GET', path)).toMatchObject({ summary: 'list webhook destinations' })
})

test('beforeSend is awaited; if it throws, the call ends and nothing is sent', async () => {
  const { outcome, sent } = called(
    {},
    {},
    {
      beforeSend: async () => {
        throw new Error('not agreed')
      },
    },
  )
  await expect(outcome).rejects.toThrow('not agreed')
  expect(sent).toEqual([])
})

test('statuses from 200 to 299 are a success, and so is the status that the contract names', async () => {
  const failureOf = async (status: number, path = '/partner/other') =>
    (await called({ path }, { status }).outcome).failure?.kind
  for (const status of [200, 299]) expect(await failureOf(status)).toBeUndefined()
  for (const status of [199, 300, 302]) expect(await failureOf(status)).toBe('service')
  expect(await failureOf(302, '/partner/informe/signature')).toBeUndefined()
  expect(await failureOf(301, '/partner/informe/signature')).toBe('service')
  const registered = called({ method: 'POST', path: '/partner/webhook' }, { status: 200 })
  expect((await registered.outcome).failure).toBeUndefined()
})

test('an error status is returned with a failure that explains the status and says how long to wait', async () => {
  const { outcome, attempts } = called({}, { status: 429, headers: { 'retry-after': '5' } })
  const { response, failure } = await outcome
  expect(response.status).toBe(429)
  expect(failure).toMatchObject({
    kind: 'rate-limited',
    message: expect.stringMatching(/^could not call GET \/partner\/other: .*\(429\)$/),
    retryAfterMs: 5_000,
    exchange: {
      method: 'GET',
      url: 'https://api.example.com/v1/partner/other',
      attempts: 1,
      sent: true,
      outcome: 'rejected',
      status: 429,
    },
  })
  expect(attempts).toMatchObject([{ result: 429, ms: 7 }])
})

test('a read without an answer is not repeated; any other call has an unknown outcome', async () => {
  const cut = new WireFailure('reset', true, 'ECONNRESET')
  const read = called({}, cut)
  await expect(read.outcome).rejects.toMatchObject({ kind: 'network', exchange: { attempts: 1, sent: true } })
  expect([read.sent.length, read.attempts]).toMatchObject([1, [{ result: 'reset', ms: 7 }]])
  await expect(called({ method: 'POST' }, cut).outcome).rejects.toMatchObject({ kind: 'outcome-unknown' })
})

test('a signal ends a read with its reason; any other interrupted call may have been carried out', async () => {
  const stop = new AbortController()
  stop.abort(new Interrupted(130))
  const aborted = new WireFailure('aborted', true, 'interrupted')
  const options = { signal: stop.signal }
  await expect(called({}, aborted, options).outcome).rejects.toBe(stop.signal.reason)
  await expect(called({ method: 'POST' }, aborted, options).outcome).rejects.toMatchObject({
    exitCode: 130,
    message:
      'interrupted while waiting for the answer to “call POST /partner/other”; the call may have been carried out',
  })
  const cut = new WireFailure('reset', true, 'ECONNRESET')
  await expect(called({}, cut, options).outcome).rejects.toMatchObject({ code: 'RESET' })
})

test('a call without onAttempt works', async () => {
  expect((await called({}, {}, { onAttempt: undefined } as never).outcome).response.status).toBe(200)
})

test('an error of the program itself is not reported as one of the network', async () => {
  const bug = new TypeError('ours')
  const { outcome, attempts } = called({}, bug)
  await expect(outcome).rejects.toBe(bug)
  expect(attempts).toEqual([])
})
