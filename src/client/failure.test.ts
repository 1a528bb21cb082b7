import { expect, test } from 'vitest'
import { findOutBy } from '../contract/failures/advice.ts'
import { wireFailureWords } from '../contract/failures/connections.ts'
import { WireFailure, type WireFailureKind } from '../contract/wire.ts'
import { type Advice, type Exchange, Interrupted } from '../errors.ts'
import { answerFailure, interruption, noAnswerFailure, type Step, shapeFailure } from './failure.ts'

const exchange: Exchange = {
  method: 'POST',
  url: 'https://api.example.com:8443/partner/x',
  attempts: 1,
  sent: true,
  outcome: 'rejected',
}
const read: Step = { summary: 'read it', statuses: {}, repeat: 'safe' }
const reconcile = findOutBy('verify-after-payment')
const payment: Step = { summary: 'lend it', statuses: {}, repeat: 'never', reconcile }
const removal: Step = { summary: 'remove it', statuses: {}, repeat: 'reconcile' }
const asked = (step: Step) => ({
  endpoint: { ...step, method: 'GET' as const, path: '/read/{id}' },
  path: '/read/1',
  exchange: () => exchange,
})
const answer = (status: number, body: unknown = '') => ({
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

test('the error of a refusal names the call, the documented meaning, and the service’s code and message', () => {
  const documented: Step = {
    ...read,
    statuses: {
      409: { outcome: 'refused', meaning: 'it is there twice', hint: 'Remove one.', codes: { ERR_TWICE: 'twice' } },
    },
  }
  const error = answerFailure(
    documented,
    answer(409, { code: 'ERR_TWICE', message: 'Order of ana@example.com' }),
    exchange,
    undefined,
  )
  expect(error).toMatchObject({
    kind: 'refused',
    message: 'could not read it: twice (409 ERR_TWICE): “Order of a•••@example.com”',
    code: 'ERR_TWICE',
    hint: 'Remove one.',
    exchange: { ...exchange, outcome: 'rejected' },
    retryAfterMs: undefined,
  })
  expect(answerFailure(documented, answer(409), exchange, undefined)).toMatchObject({
    message: 'could not read it: it is there twice (409)',
    code: 'HTTP_409',
  })
})

test('a message of the service that only repeats our message is not shown', () => {
  for (const message of [
    'The path or the object does not exist',
    'the path or the object does not exist.',
    'THE PATH OR THE OBJECT DOES NOT EXIST',
  ])
    expect(answerFailure(read, answer(404, { message }), exchange, undefined).message).toBe(
      'could not read it: the path or the object does not exist (404)',
    )
  expect(
    answerFailure(read, answer(404, { message: 'the path or the object does. not exist' }), exchange, undefined)
      .message,
  ).toBe('could not read it: the path or the object does not exist (404): “the path or the object does. not exist”')
})

test('a message longer than 200 characters is shortened to 200', () => {
  const said = (length: number) =>
    answerFailure(read, answer(404, { message: 'x'.repeat(length) }), exchange, undefined).message
  expect(said(200)).toContain(`“${'x'.repeat(200)}”`)
  expect(said(201)).toContain(`“${'x'.repeat(199)}…”`)
})

test('after a failure of the service only a safe call is reported as not done', () => {
  expect(answerFailure(read, answer(503, { message: 'later' }), exchange, undefined)).toMatchObject({
    kind: 'service',
    message: 'could not read it: the service failed (503): “later”',
    exchange: { outcome: 'rejected' },
  })
  expect(
    answerFailure(payment, answer(500, { code: 'ERR_LATER', message: 'later' }), exchange, undefined),
  ).toMatchObject({
    kind: 'outcome-unknown',
    message: 'could not lend it: 500 ERR_LATER, but the service may have carried out the call: “later”',
    hint: expect.stringContaining('Find out what happened: verify the transaction after the payment (verifyLoan)'),
    advice: reconcile.advice,
    exchange: { outcome: 'unknown' },
  })
  expect(answerFailure(removal, answer(502), exchange, undefined)).toMatchObject({
    kind: 'outcome-unknown',
    hint: 'Do not run the command again yet.',
  })
  expect(answerFailure(payment, answer(499), exchange, undefined)).toMatchObject({ kind: 'refused' })
})

test('the error of a rate limit says how long to wait, if the service said so', () => {
  expect(answerFailure(payment, answer(429), exchange, 90_000)).toMatchObject({
    kind: 'rate-limited',
    hint: 'Wait 1m30s, as the service asks. The service refused the call, so the call can be repeated.',
    advice: { id: 'wait', ms: 90_000 },
    retryAfterMs: 90_000,
  })
  expect(answerFailure(payment, answer(429), exchange, undefined)).toMatchObject({
    hint: 'Wait a minute. The service refused the call, so the call can be repeated.',
    advice: { id: 'wait' },
  })
})

test('the hint and the advice for a status are those that the contract gives', () => {
  const meant = (more: object) =>
    answerFailure(
      { ...read, statuses: { 404: { outcome: 'not-found', meaning: 'it does not exist', ...more } } },
      answer(404),
      exchange,
      undefined,
    )
  const [hint, advice] = ['Look elsewhere.', { id: 'check-address' }] as const
  for (const more of [{}, { hint }, { advice }, { hint, advice }])
    expect(meant(more)).toMatchObject({ hint: undefined, advice: undefined, ...more })
})

test('an answer of an unexpected shape is a service error, and for a payment call an unknown outcome', () => {
  expect(shapeFailure(asked(read), 'it is empty')).toMatchObject({
    kind: 'service',
    message: 'could not read the answer to “read it”: it is empty',
    code: 'UNEXPECTED_ANSWER',
    hint: 'Check the base address, and look at the raw answer.',
    advice: { id: 'see-raw-answer', method: 'GET', path: '/read/1' },
    exchange: { outcome: 'rejected' },
  })
  for (const path of [
    '/read/11222333-9',
    '/read/ana@example.com',
    '/read/112223339',
    '/read/ana%2540example.com',
    '/rut/1',
    '/read?token=1',
  ])
    expect(shapeFailure({ ...asked(read), path }, 'it is empty').advice).toEqual({
      id: 'see-raw-answer',
      method: 'GET',
      path: '/read/{id}',
    })
  // Repeating the call to see its raw answer would remove another object.
  expect(shapeFailure(asked(removal), 'it is empty')).toMatchObject({
    kind: 'service',
    hint: 'Check the base address.',
    advice: { id: 'check-base-address' },
  })
  expect(shapeFailure(asked(payment), 'it is empty')).toMatchObject({
    kind: 'outcome-unknown',
    hint: expect.stringContaining('Find out what happened: verify the transaction after the payment (verifyLoan)'),
    advice: reconcile.advice,
    exchange: { outcome: 'unknown' },
  })
})

const KINDS: Record<WireFailureKind, [kind: string, words: string, hint: string, advice: Advice]> = {
  refused: [
    'network',
    'nothing answers at this address',
    'Check the base address and that the service is up.',
    { id: 'check-address' },
  ],
  dns: ['network', 'the host name was not found', 'Check the base address and the DNS.', { id: 'check-name-service' }],
  tls: [
    'network',
    'the secure connection failed',
    'Check the base address. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.',
    { id: 'check-certificate', problem: 'unknown' },
  ],
  proxy: ['network', 'no connection through the proxy', 'Check HTTPS_PROXY and NO_PROXY.', { id: 'check-proxy' }],
  reset: ['network', 'the connection was cut off', 'Repeat the call, which is safe.', { id: 'repeat' }],
  timeout: [
    'network',
    'no complete answer arrived in time',
    'Repeat the call, which is safe, and allow more time.',
    { id: 'allow-more-time' },
  ],
  'too-large': [
    'service',
    'the answer is too large to come from this service',
    'Check the base address.',
    { id: 'check-base-address' },
  ],
  garbled: ['service', 'the answer is not valid HTTP', 'Check the base address.', { id: 'check-base-address' }],
  aborted: ['network', 'the call was interrupted', 'Repeat the call, which is safe.', { id: 'repeat' }],
}

test.each(Object.keys(KINDS) as WireFailureKind[])(
  'a failure “%s” has the right kind of error, message, hint and advice',
  (failure) => {
    const [kind, words, hint, advice] = KINDS[failure]
    expect(wireFailureWords(failure)).toBe(words)
    const cause = new WireFailure(failure, false, 'ECONNREFUSED')
    const error = noAnswerFailure(payment, cause, exchange)
    expect(error).toMatchObject({
      kind,
      message: `could not lend it: api.example.com:8443: ${words} (ECONNREFUSED)`,
      code: failure === 'too-large' ? 'TOO_LARGE' : failure.toUpperCase(),
      exchange: { sent: false, outcome: 'not_sent' },
      cause,
    })
    expect([error.hint, error.advice]).toEqual([hint, advice])
  },
)

test('a call that was sent and may not be repeated has an unknown outcome', () => {
  const failure = new WireFailure('reset', true, 'the connection failed')
  expect(noAnswerFailure(payment, failure, exchange)).toMatchObject({
    kind: 'outcome-unknown',
    message:
      'no answer from api.example.com:8443 to “lend it”: the connection was cut off; the call may have been carried out',
    hint: expect.stringContaining('Find out what happened: verify the transaction after the payment (verifyLoan)'),
    advice: reconcile.advice,
    exchange: { sent: true, outcome: 'unknown' },
  })
  expect(noAnswerFailure(removal, failure, exchange)).toMatchObject({ kind: 'outcome-unknown' })
  expect(noAnswerFailure(read, failure, exchange)).toMatchObject({
    kind: 'network',
    exchange: { sent: true, outcome: 'rejected' },
  })
})

test('the message of the HTTP library is shown only if it is an error code', () => {
  const message = (text: string) => noAnswerFailure(read, new WireFailure('reset', false, text), exchange).message
  expect(message('EPIPE')).toMatch(/was cut off \(EPIPE\)$/)
  expect(message('UND_ERR_SOCKET2')).toMatch(/\(UND_ERR_SOCKET2\)$/)
  for (const words of ['E', 'the connection failed', 'EPIPE at https://x', 'xEPIPE', ''])
    expect(message(words)).toMatch(/was cut off$/)
})

test('an interruption of a sent call that may not be repeated says that the call may have been carried out', () => {
  const reason = new Interrupted(143)
  const sent = new WireFailure('aborted', true, 'interrupted')
  expect(interruption(payment, new WireFailure('aborted', false, 'interrupted'), exchange, reason)).toBe(reason)
  expect(interruption(read, sent, exchange, reason)).toBe(reason)
  expect(interruption(payment, sent, exchange, reason)).toMatchObject({
    name: 'Interrupted',
    exitCode: 143,
    message: 'interrupted while waiting for the answer to “lend it”; the call may have been carried out',
    hint: expect.stringContaining('Find out what happened: verify the transaction after the payment (verifyLoan)'),
    advice: reconcile.advice,
  })
  expect(interruption(payment, sent, exchange, new Error('the caller’s own'))).toMatchObject({
    kind: 'outcome-unknown',
  })
})

test('a call that is interrupted without a reason ends with a network error or an unknown outcome', () => {
  const closed = (sent: boolean) => new WireFailure('aborted', sent, 'UND_ERR_DESTROYED')
  for (const [step, sent] of [
    [read, true],
    [payment, false],
  ] as const)
    expect(interruption(step, closed(sent), exchange, undefined)).toMatchObject({
      kind: 'network',
      code: 'ABORTED',
      message: `could not ${step.summary}: api.example.com:8443: the call was interrupted (UND_ERR_DESTROYED)`,
    })
  expect(interruption(payment, closed(true), exchange, undefined)).toMatchObject({ kind: 'outcome-unknown' })
})
