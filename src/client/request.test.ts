import { expect, test } from 'vitest'
import { fakeClock } from '../../test/kit/harness.ts'
import { type EndpointName, endpointOf } from '../contract/endpoints.ts'
import { type ApiClientOptions, requestOf } from './request.ts'

const options: ApiClientOptions = {
  transport: () => Promise.reject(new Error('nothing is sent here')),
  baseUrl: 'https://api.example.com',
  apiKey: 'key-123456',
  clock: fakeClock(),
  random: () => 0.5,
  timeoutMs: 10_000,
}

const prepare = (
  name: EndpointName,
  params: Record<string, string>,
  body: object,
  more: Partial<ApiClientOptions> = {},
) => requestOf(endpointOf(name), 'https://api.example.com', { params, body }, { ...options, ...more })

const FORM = 'application/x-www-form-urlencoded'
const ORDER = { idNumber: '11222333-9', amount: 1000, entityId: 'E1', externalTrxId: 'T1' }

test('a call with fields is sent as a form, and a call that must not run twice uses a new connection', () => {
  const { body, ...request } = prepare('evaluate', {}, ORDER)
  expect(Buffer.from(body ?? []).toString()).toBe('idNumber=11222333-9&amount=1000&entityId=E1&externalTrxId=T1')
  expect(request).toEqual({
    method: 'POST',
    url: 'https://api.example.com/partner/pre-loan-request/bnpl',
    headers: {
      accept: 'application/json',
      'user-agent': 'bnpl',
      authorization: 'Bearer key-123456',
      'content-type': 'application/x-www-form-urlencoded',
    },
    timeoutMs: 10_000,
    maxBytes: 10 * 1024 * 1024,
    freshSocket: true,
  })
})

test.each([
  [{}, FORM, 'url=https%3A%2F%2Fs.example&eventTypes%5B%5D=a&eventTypes%5B%5D=b'],
  [{ 'bodies.subscription': 'form' }, FORM, 'url=https%3A%2F%2Fs.example&eventTypes%5B%5D=a&eventTypes%5B%5D=b'],
  [{ 'bodies.eventTypes': 'repeated' }, FORM, 'url=https%3A%2F%2Fs.example&eventTypes=a&eventTypes=b'],
  [{ 'bodies.eventTypes': 'comma' }, FORM, 'url=https%3A%2F%2Fs.example&eventTypes=a%2Cb'],
  [{ 'bodies.subscription': 'json' }, 'application/json', '{"url":"https://s.example","eventTypes":["a","b"]}'],
  [{ 'bodies.registration': 'json' }, FORM, 'url=https%3A%2F%2Fs.example&eventTypes%5B%5D=a&eventTypes%5B%5D=b'],
])('with the settings %j the body of a subscription is %s: %s', (bodies, type, text) => {
  const request = prepare('subscribeWebhook', {}, { url: 'https://s.example', eventTypes: ['a', 'b'] }, { bodies })
  expect(request.headers['content-type']).toBe(type)
  expect(Buffer.from(request.body ?? []).toString()).toBe(text)
})

test('a call whose encoding the specification shows is sent as a form, regardless of the settings', () => {
  const bodies = { 'bodies.eventTypes': 'nothing', 'bodies.verification': 'json' }
  expect(prepare('evaluate', {}, ORDER, { bodies }).headers['content-type']).toBe(FORM)
})

test.each([
  ['bodies.subscription', 'xml', 'form, json', 'form or json'],
  ['bodies.eventTypes', '', 'brackets, repeated, indexed, comma', 'brackets or repeated or indexed or comma'],
])(
  'a setting %s with the value “%s” is refused, and the error lists the valid values',
  (setting, word, words, choice) => {
    const bodies = { [setting]: word }
    expect(() => prepare('subscribeWebhook', {}, { url: 'https://s.example' }, { bodies })).toThrow(
      expect.objectContaining({
        kind: 'config',
        code: 'BAD_BODY_ENCODING',
        message: `the setting ${setting} is not valid: it must be one of ${words}`,
        hint: `Set ${setting} to ${choice}. Nothing was sent.`,
      }),
    )
  },
)

test('a read is sent without a body or a content type, and may reuse a connection', () => {
  const request = prepare('listWebhooks', {}, {})
  expect(request).toMatchObject({ method: 'GET', freshSocket: false })
  expect([request.body, Object.keys(request.headers)]).toEqual([undefined, ['accept', 'user-agent', 'authorization']])
})

test('a call that needs no key is sent without a key; any other call fails if no key is set', () => {
  const { headers } = prepare('openInforme', { signature: 's' }, {})
  expect(headers).not.toHaveProperty('authorization')
  prepare('openInforme', { signature: 's' }, {}, { apiKey: undefined })
  expect(() => prepare('listWebhooks', {}, {}, { apiKey: undefined })).toThrow(
    expect.objectContaining({ kind: 'config', code: 'CONFIG', message: 'no API key is set for this call' }),
  )
})

test.each([
  [{ ...ORDER, amount: undefined }, 'amount cannot be sent: it is missing'],
  [{ ...ORDER, idNumber: 7 }, 'idNumber cannot be sent: it is a number, not text'],
  [{ ...ORDER, idNumber: '' }, 'idNumber cannot be sent: it is empty'],
  [{ ...ORDER, more: 1 }, /^the request cannot be sent: it is an object/],
])('%# the error names the value that cannot be sent', (body, message) => {
  expect(() => prepare('evaluate', {}, body)).toThrow(
    expect.objectContaining({ kind: 'usage', code: 'INVALID_REQUEST', message: expect.stringMatching(message) }),
  )
})

test('the error about a value in a list names the index of the value', () => {
  expect(() => prepare('subscribeWebhook', {}, { url: 'https://shop.example', eventTypes: ['a', 7] })).toThrow(
    'eventTypes.1 cannot be sent: it is a number, not text',
  )
})

test('the error about a setting that is not a path names the setting and gives an example path', () => {
  expect(() => prepare('getLead', { leadId: 'L1' }, {}, { paths: { 'paths.lead': 'leads' } })).toThrow(
    expect.objectContaining({
      code: 'BAD_PATH',
      hint: expect.stringMatching(/^Set paths\.lead to a path such as \/.+\. Nothing was sent\.$/),
    }),
  )
})
