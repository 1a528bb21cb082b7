import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/kit/harness.ts'
import { WireFailure, type WireRequest, type WireResponse } from '../../contract/wire.ts'
import { sign } from '../../domain/signature.ts'
import type { ConformanceOptions } from './check.ts'
import { testReceiver } from './run.ts'

const SIGNATURE = { algorithm: 'sha256', encoding: 'hex' } as const
const SECRET = 'secret-of-the-receiver'
const URL_OF_TEST = 'https://shop.example/hook'

interface Given {
  scheme?: 'hmac' | 'token'
  url?: string
  timeoutMs?: number
  /** The status with which the receiver answers, or the fault of the connection. `nth` counts deliveries from 0. */
  answer?: (request: WireRequest, nth: number) => number | WireFailure
  headers?: Record<string, string>
  signal?: AbortSignal
}

const bodyOf = (request: WireRequest) => Buffer.from(request.body ?? [])
const isProved = (request: WireRequest, scheme: 'hmac' | 'token') => {
  const { 'service-signature': signature, 'service-webhook-secret': token } = request.headers
  if (scheme === 'token') return signature === undefined && token === SECRET
  return token === undefined && signature === sign(bodyOf(request), SECRET, SIGNATURE)
}

/** Tests a simulated receiver. Returns the findings and the deliveries that were sent. */
async function tested({
  scheme = 'hmac',
  url = URL_OF_TEST,
  timeoutMs = 10_000,
  answer,
  headers = {},
  signal,
}: Given = {}) {
  const clock = fakeClock()
  clock.advance(60_000)
  const requests: WireRequest[] = []
  const begun: string[] = []
  /** The check that sent each request. */
  const senders: (string | undefined)[] = []
  let ids = 0
  const say = answer ?? ((request) => (isProved(request, scheme) ? 200 : 401))
  const options: ConformanceOptions = {
    url,
    signer: { scheme, signature: SIGNATURE, secret: SECRET },
    async transport(request): Promise<WireResponse> {
      const nth = requests.push(request) - 1
      senders.push(begun.at(-1))
      clock.advance(4.6)
      const said = say(request, nth)
      if (said instanceof WireFailure) throw said
      return { status: said, headers, body: new Uint8Array() }
    },
    clock,
    timeoutMs,
    signal: signal ?? new AbortController().signal,
    sample: (event) => ({ of: event }),
    newEventId: () => `id-${++ids}`,
    onCheck: (name) => void begun.push(name),
  }
  const findings = await testReceiver(options)
  return { findings, requests, senders, begun, of: (name: string) => findings.find((each) => each.name === name) }
}

const NAMES = [
  'the service can deliver to the address',
  'a delivery is accepted with 2xx within 3 s',
  'the answer is not a redirect',
  'a repeated delivery is accepted',
  'a body with unusual spacing is accepted, because its raw bytes are verified',
  'a large body is accepted',
  'any text in a field is accepted',
  'half of an emoji, as an escape such as \\ud83d, is accepted',
  'unknown fields are accepted',
  'an event of the destination’s second event type is accepted',
  '20 deliveries at once are accepted within 3 s each',
  'a body that was tampered with is refused',
  'a delivery without a signature is refused',
  'a delivery with an empty signature is refused',
  'a delivery with a wrong signature is refused',
  'a delivery with only the beginning of the right signature is refused',
  'a malformed signature is refused',
  'a delivery with the header of the other scheme is refused',
]

test('a correct receiver passes every check, and each finding has the answer and the time taken', async () => {
  const { findings, begun } = await tested()
  expect(begun).toEqual(NAMES)
  expect(findings.map(({ name, status, detail, ms }) => [name, status, detail, ms])).toEqual([
    [NAMES[0], 'ok', 'https', 0],
    [NAMES[1], 'ok', 'answered 200 in 5 ms', 5],
    [NAMES[2], 'ok', 'answered 200', 5],
    [NAMES[3], 'ok', 'answered 200 in 5 ms', 9],
    [NAMES[4], 'ok', 'answered 200 in 5 ms', 5],
    [NAMES[5], 'ok', 'answered 200 in 5 ms', 5],
    [NAMES[6], 'ok', 'answered 200 in 5 ms', 5],
    [NAMES[7], 'ok', 'answered 200 in 5 ms', 5],
    [NAMES[8], 'ok', 'answered 200 in 5 ms', 5],
    [NAMES[9], 'skipped', 'this integration has only one event type', 0],
    [NAMES[10], 'ok', 'the slowest took 92 ms', 92],
    [NAMES[11], 'ok', 'answered 401 in 5 ms', 5],
    [NAMES[12], 'ok', 'answered 401 in 5 ms', 5],
    [NAMES[13], 'ok', 'answered 401 in 5 ms', 5],
    [NAMES[14], 'ok', 'answered 401 in 5 ms', 5],
    [NAMES[15], 'ok', 'answered 401 in 5 ms', 5],
    [NAMES[16], 'ok', 'five malformed signatures were refused', 23],
    [NAMES[17], 'ok', 'answered 401 in 5 ms', 5],
  ])
  expect(findings.every((finding) => !('hint' in finding))).toBe(true)
})

test('the receiver gets deliveries as the service sends them, and unusual, tampered and wrongly signed deliveries', async () => {
  const { requests, senders } = await tested()
  const right = 'the signature of the body'
  const seen = requests.map((request) => {
    const { 'service-signature': signature, 'service-webhook-secret': token, ...headers } = request.headers
    expect(headers).toEqual({ 'content-type': 'application/json', 'user-agent': 'bnpl-webhooks' })
    expect(request).toMatchObject({ method: 'POST', url: URL_OF_TEST, timeoutMs: 3000, freshSocket: true })
    const isRight = signature === sign(bodyOf(request), SECRET, SIGNATURE)
    const body = String(request.body && bodyOf(request))
    return {
      body,
      id: /"eventId" ?: ?"(id-\d+)"/.exec(body)?.[1],
      proof: isRight ? right : (signature ?? (token && { token })),
    }
  })
  const sentBy = (name: string) => seen.filter((_, i) => senders[i] === name)
  const plain = (id: string | undefined) => `{"eventId":"${id}","data":{"of":"loan_approved"}}`
  const firstOf = (name: string) => sentBy(name)[0]
  const [accepted, answer, , spaced, large, odd, half, unknown] = NAMES.slice(1, 9).map(firstOf)
  const repeated = sentBy('a repeated delivery is accepted')
  for (const each of [accepted, answer, ...repeated])
    expect(each).toMatchObject({ body: plain(each?.id), proof: right })
  expect(repeated.map(({ id }) => id)).toEqual([repeated[0]?.id, repeated[0]?.id])
  expect(spaced).toMatchObject({
    body: `{\r\n  "data" : {\n\t"of": "loan_approved"\n},\r\n  "eventId" : "${spaced?.id}"\r\n}\r\n`,
    proof: right,
  })
  const dataOf = (each: { body: string } | undefined) => JSON.parse(each?.body ?? '').data
  expect(dataOf(large)).toEqual({ of: 'loan_approved', observaciones: 'x'.repeat(256 * 1024) })
  expect(dataOf(odd)).toEqual({ of: 'loan_approved', nombres: 'Ñandú 😀 \u202e\u0000\u2028 "\\/</script>' })
  expect(half?.body).toBe(`{"eventId":"${half?.id}","data":{"of":"loan_approved","nombres":"Ana \\ud83d"}}`)
  expect(dataOf(unknown)).toEqual({ of: 'loan_approved', campoNuevo: { lista: [1, null, 'x'] } })
  expect(JSON.parse(unknown?.body ?? '')).toMatchObject({ version: 2 })
  const twenty = sentBy('20 deliveries at once are accepted within 3 s each')
  expect(new Set(twenty.map(({ body }) => body)).size).toBe(20)
  expect(twenty.every(({ proof }) => proof === right)).toBe(true)
  const signatureOf = (text: string, secret = SECRET) => sign(Buffer.from(text), secret, SIGNATURE)
  const [tampered, without, empty, wrong, beginning, , other] = NAMES.slice(11).map(firstOf)
  const malformed = sentBy('a malformed signature is refused')
  // The signature belongs to the body before it was changed.
  const before = plain(tampered?.id)
  expect(tampered).toMatchObject({ body: before.replace(/}$/, ',"more":1}'), proof: signatureOf(before) })
  for (const [delivery, proof] of [
    [without, undefined],
    [empty, ''],
    [wrong, signatureOf(plain(wrong?.id), `${SECRET}x`)],
    [beginning, signatureOf(plain(beginning?.id)).slice(0, 32)],
    [other, { token: SECRET }],
  ] as const)
    expect(delivery).toEqual({ id: delivery?.id, body: plain(delivery?.id), proof })
  expect(malformed.map(({ proof }) => proof)).toEqual(['zz', 'abc', `v1=${'0'.repeat(64)}`, 'null', 'éééééééé'])
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length - 1)
})

test('a truncated proof of odd length keeps the longer half', async () => {
  const { requests } = await tested({ scheme: 'token' })
  const half = requests.find(
    ({ headers }) =>
      SECRET.startsWith(`${headers['service-webhook-secret']}`) &&
      headers['service-webhook-secret'] !== SECRET &&
      headers['service-webhook-secret'] !== '',
  )
  expect(half?.headers['service-webhook-secret']).toBe(SECRET.slice(0, Math.ceil(SECRET.length / 2)))
})

test('a real-estate receiver gets both event types with the token as proof, and no tampered body', async () => {
  const { findings, of, requests } = await tested({ scheme: 'token' })
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([
    { name: NAMES[11], status: 'skipped', detail: 'a static token does not protect the body', ms: 0 },
  ])
  expect(of('an event of the destination’s second event type is accepted')).toMatchObject({
    status: 'ok',
    detail: 'answered 200 in 5 ms',
  })
  const events = requests.map((request) => JSON.parse(String(bodyOf(request))).data.of)
  expect(new Set(events)).toEqual(new Set(['new_lead', 'pre_approve']))
  expect(events.filter((event) => event === 'pre_approve')).toHaveLength(1)
  expect(requests[0]?.headers).toMatchObject({ 'service-webhook-secret': SECRET })
  expect(requests.at(-1)?.headers['service-signature']).toBe(
    sign(bodyOf(requests.at(-1) as WireRequest), SECRET, SIGNATURE),
  )
  expect(requests.at(-1)?.headers['service-webhook-secret']).toBeUndefined()
})

test('a plain http address is a warning', async () => {
  const { findings } = await tested({ url: 'http://127.0.0.1/hook' })
  expect(findings[0]).toEqual({
    name: NAMES[0],
    status: 'warn',
    detail: 'plain http is fine for a test, but destinations must use https',
    ms: 0,
  })
})

/** The findings of a test, by name, with their hints. */
const judged = ({ findings }: Awaited<ReturnType<typeof tested>>) =>
  Object.fromEntries(findings.map(({ name, status, detail, hint }) => [name, [status, detail, hint]]))

test('a receiver that answers 500 to everything gets the right result and hint for each check', async () => {
  for (const scheme of ['hmac', 'token'] as const) {
    const fails = (hint: string | undefined) => ['fail', 'answered 500 in 5 ms', hint]
    const trips = [
      'fail',
      'answered 500 in 5 ms, which is an error and not a refusal',
      'Refuse every delivery whose signature is missing, malformed or wrong, for example with 401. Your handler must not fail on such a delivery.',
    ]
    expect(judged(await tested({ scheme, answer: () => 500 }))).toEqual({
      [String(NAMES[0])]: ['ok', 'https', undefined],
      [String(NAMES[1])]: fails('See the log of the receiver: it failed while it processed the delivery.'),
      [String(NAMES[2])]: ['ok', 'answered 500', undefined],
      [String(NAMES[3])]: fails('See the log of the receiver: it failed while it processed the delivery.'),
      [String(NAMES[7])]: fails(
        expect.stringMatching(/^Replace such escapes by .ufffd before you parse the body/) as never,
      ),
      [String(NAMES[4])]: fails(
        'Verify the raw bytes before you parse them, because JSON that was parsed and written again differs from the signed bytes.',
      ),
      [String(NAMES[5])]: fails('Accept bodies of up to 1 MiB.'),
      [String(NAMES[6])]: fails('Accept any text, because names can contain accents, emoji and control characters.'),
      [String(NAMES[8])]: fails(
        'Read the fields that you know and ignore the rest, because the service may add fields.',
      ),
      [String(NAMES[9])]:
        scheme === 'hmac'
          ? ['skipped', 'this integration has only one event type', undefined]
          : fails('Handle both events at one address. A body with idPreAprobacion is the event pre_approve.'),
      [String(NAMES[10])]: [
        'fail',
        expect.stringMatching(/^answered 500 in \d+ ms$/),
        'Answer before you process the event, so that one event does not wait for another.',
      ],
      [String(NAMES[11])]:
        scheme === 'hmac' ? trips : ['skipped', 'a static token does not protect the body', undefined],
      [String(NAMES[12])]: trips,
      [String(NAMES[13])]: trips,
      [String(NAMES[14])]: trips,
      [String(NAMES[15])]: trips,
      [String(NAMES[16])]: trips,
      [String(NAMES[17])]: trips,
    })
  }
})

const REFUSING_HINTS = {
  [String(NAMES[11])]: 'Compute the HMAC over the raw bytes of the body, and compare it with the received signature.',
  [String(NAMES[12])]: 'Answer 401 when the service-signature header is missing.',
  [String(NAMES[13])]: 'Refuse an empty service-signature header, even if the receiver’s own secret is empty.',
  [String(NAMES[14])]: 'Compare the whole header, in constant time.',
  [String(NAMES[15])]: 'Compare the whole header, because a signature that was cut short is not valid.',
  [String(NAMES[16])]: 'Answer 401.',
  [String(NAMES[17])]:
    'Accept only the service-signature header, because the service always sends this header to this destination.',
}

test.each([
  [200, 'answered 200 in 5 ms, so anybody could send events'],
  [299, 'answered 299 in 5 ms, so anybody could send events'],
  [300, 'answered 300 in 5 ms'],
  [302, 'answered 302 in 5 ms'],
  [399, 'answered 399 in 5 ms'],
])('a receiver that answers %i to everything fails every check of a refusal', async (status, detail) => {
  const findings = judged(await tested({ answer: () => status }))
  for (const [name, hint] of Object.entries(REFUSING_HINTS))
    expect([name, findings[name]]).toEqual([name, ['fail', detail, hint]])
  const isAccepted = status < 300
  expect(findings[String(NAMES[1])]?.[0]).toBe(isAccepted ? 'ok' : 'fail')
  expect(findings[String(NAMES[2])]).toEqual(
    isAccepted
      ? ['ok', `answered ${status}`, undefined]
      : ['warn', `answered ${status}`, 'Register the final address, because the service does not follow redirects.'],
  )
})

test('an answer of 400 is no redirect', async () => {
  expect((await tested({ answer: () => 400 })).of(String(NAMES[2]))).toMatchObject({
    status: 'ok',
    detail: 'answered 400',
  })
})

test.each([
  [199, 'fail'],
  [400, 'ok'],
  [499, 'ok'],
  [500, 'fail'],
])('an answer of %i to an invalid delivery is judged as %s', async (status, judgement) => {
  const answer = (request: WireRequest) => (isProved(request, 'hmac') ? 200 : status)
  const { of } = await tested({ answer })
  for (const name of Object.keys(REFUSING_HINTS)) expect([name, of(name)?.status]).toEqual([name, judgement])
})

test('if a receiver accepts the header of the other scheme, the hint names the right header', async () => {
  const { of } = await tested({ scheme: 'token', answer: () => 200 })
  expect(of(String(NAMES[17]))?.hint).toBe(
    'Accept only the service-webhook-secret header, because the service always sends this header to this destination.',
  )
})

test('the first malformed signature that is not refused fails the check, and later signatures are not sent', async () => {
  const answer = (request: WireRequest) =>
    isProved(request, 'hmac') || request.headers['service-signature'] === 'null' ? 200 : 401
  const { of, requests } = await tested({ answer })
  expect(of(String(NAMES[16]))).toMatchObject({ status: 'fail', hint: 'Answer 401.' })
  expect(requests.some(({ headers }) => headers['service-signature'] === 'éééééééé')).toBe(false)
})

test('a receiver that refuses a repeated delivery fails the check of repeated deliveries', async () => {
  const seen = new Set<string>()
  const answer = (request: WireRequest) => {
    if (!isProved(request, 'hmac')) return 401
    const body = String(bodyOf(request))
    const isNew = !seen.has(body)
    seen.add(body)
    return isNew ? 200 : 409
  }
  const { findings } = await tested({ answer })
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([
    {
      name: NAMES[3],
      status: 'fail',
      detail: 'answered 409 in 5 ms',
      hint: 'Answer 2xx to a retry, which has the same eventId, and do not process it again.',
      ms: 9,
    },
  ])
})

const late = new WireFailure('timeout', true, 'late')

test('one late answer among 20 simultaneous deliveries is a failure, and the finding names the time limit', async () => {
  const { findings } = await tested({
    timeoutMs: 500,
    answer: (request, nth) => (nth === 20 ? late : isProved(request, 'hmac') ? 200 : 401),
  })
  expect(findings.filter(({ status }) => status === 'fail')).toMatchObject([
    { name: NAMES[10], detail: 'no answer within 500 ms' },
  ])
})

test('a receiver that is slow only for valid deliveries gets the hint to store first, and all checks run', async () => {
  const { of, findings, requests } = await tested({
    answer: (request) => (isProved(request, 'hmac') ? late : 401),
  })
  expect(of(String(NAMES[1]))).toMatchObject({
    status: 'fail',
    detail: 'no answer within 3000 ms',
    hint: 'Store the event, answer 200, and process it afterwards.',
  })
  expect(of(String(NAMES[2]))).toEqual({ name: NAMES[2], status: 'fail', detail: 'no answer within 3000 ms', ms: 5 })
  expect(findings.slice(11).map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 'ok'))
  // After the first delivery, a delivery without a signature shows whether the receiver answers at all.
  expect(requests[1]?.headers['service-signature']).toBeUndefined()
  expect(requests[2]?.headers['service-signature']).toBeDefined()
})

test('a receiver that never answers in time gets two deliveries and one failure; the other checks are skipped', async () => {
  const { findings, requests, begun } = await tested({ answer: () => late })
  expect(requests).toHaveLength(2)
  expect(begun).toEqual(NAMES.slice(0, 2))
  expect(findings.slice(2)).toEqual(
    NAMES.slice(2).map((name) => ({ name, status: 'skipped', detail: 'the receiver does not answer in time', ms: 0 })),
  )
})

test.each(['refused', 'dns', 'tls'] as const)('a receiver that cannot be reached (%s) is one failure', async (kind) => {
  const { findings, requests } = await tested({ answer: () => new WireFailure(kind, false, 'no') })
  expect(requests).toHaveLength(1)
  expect(findings[1]).toMatchObject({
    status: 'fail',
    detail: `no answer (${kind})`,
    hint:
      kind === 'tls'
        ? 'Answer 2xx to a delivery of the service. Check the secret (or the token).'
        : 'Start the receiver, or check the address.',
  })
  expect(findings.slice(2)).toEqual(
    NAMES.slice(2).map((name) => ({ name, status: 'skipped', detail: 'the receiver cannot be reached', ms: 0 })),
  )
})

test('if the receiver becomes unreachable during the test, the remaining checks are skipped', async () => {
  const { findings } = await tested({ answer: (_, nth) => (nth < 20 ? 200 : new WireFailure('refused', false, 'no')) })
  expect(findings.slice(11).map(({ detail }) => detail)).toEqual(
    Array.from({ length: 7 }, () => 'the receiver cannot be reached'),
  )
})

test('a receiver that resets every connection is tested to the end', async () => {
  const { findings, of } = await tested({ answer: () => new WireFailure('reset', true, 'cut') })
  expect(findings.some(({ status, name }) => status === 'skipped' && name !== NAMES[9])).toBe(false)
  expect(of(String(NAMES[12]))).toMatchObject({
    status: 'fail',
    detail: 'no answer (reset)',
    hint: 'Refuse an invalid delivery with 401 at once.',
  })
})

test('an answer with a body that is too large still counts as an answer', async () => {
  const answer = (request: WireRequest) =>
    new WireFailure('too-large', true, 'too large', undefined, { status: isProved(request, 'hmac') ? 202 : 403 })
  const { findings } = await tested({ answer })
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
})

test('an abort ends the test with the reason of the signal, and an error outside the network is thrown', async () => {
  const over = new AbortController()
  const reason = new Error('over')
  over.abort(reason)
  const aborted = () => new WireFailure('aborted', true, 'aborted')
  await expect(tested({ answer: aborted, signal: over.signal })).rejects.toBe(reason)
  const fault = new TypeError('a fault of the test')
  const broken = () => {
    throw fault
  }
  await expect(tested({ answer: broken })).rejects.toBe(fault)
})

test('every delivery is sent under the signal of the test', async () => {
  const { signal } = new AbortController()
  const { requests } = await tested({ signal })
  expect(new Set(requests.map((request) => request.signal))).toEqual(new Set([signal]))
})

test.each([
  [301, /^Register the final address \(the answer redirects to https:\/\/shop\.example\/hook\/\)/],
  [302, /^Register the final address/],
  [307, /^Register the final address/],
  [308, /^Register the final address/],
  [400, /refuses a field or the form of the body/],
  [401, /same secret \(or token\)/],
  [403, /firewall, a login page or a CSRF protection/],
  [404, /path of the address/],
  [405, /accept POST/],
  [413, /client_max_body_size/],
  [415, /Content-Type application\/json/],
  [419, /CSRF protection \(Laravel/],
  [422, /a validation fails/],
  [429, /rate limit/],
  [500, /log of the receiver/],
  [502, /server before it got no valid answer/],
  [503, /overloaded/],
  [504, /did not answer the server before it in time/],
  [520, /log of the receiver/],
  [418, /^Answer 2xx to a delivery/],
])('an answer of %i has a hint of its own', async (status, hint) => {
  const redirect = status < 400 ? { location: 'https://shop.example/hook/' } : {}
  const { of } = await tested({ answer: () => status, headers: redirect })
  expect(of(String(NAMES[1]))).toMatchObject({ status: 'fail', hint: expect.stringMatching(hint) })
})

test('the target of a redirect is cleaned', async () => {
  const location = `https://ana@example.com:secret@shop.example/\u001b[31mhook\u202e${'x'.repeat(500)}`
  const hint = (await tested({ answer: () => 301, headers: { location } })).of(String(NAMES[1]))?.hint ?? ''
  expect(hint.length).toBeLessThan(350)
  expect(hint).not.toMatch(/\u001b|\u202e|ana@example/)
})

test('a receiver that refuses only half of an emoji gets a warning, and one that fails with it does not pass', async () => {
  const without = (status: number) => (request: WireRequest) =>
    isProved(request, 'hmac') ? (bodyOf(request).includes('\\ud83d"') ? status : 200) : 401
  const refusing = await tested({ answer: without(400) })
  expect(refusing.findings.filter(({ status }) => status !== 'ok' && status !== 'skipped')).toMatchObject([
    { name: NAMES[7], status: 'warn', hint: expect.stringContaining('PHP, Rust and .NET') },
  ])
  expect((await tested({ answer: without(500) })).of(String(NAMES[7]))).toMatchObject({ status: 'fail' })
})
