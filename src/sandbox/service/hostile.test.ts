import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BASE, sandboxKit } from '../../../test/kit/sandbox-kit.ts'
import { unicodeText } from '../../../test/kit/unicode-text.ts'
import { ENDPOINTS } from '../../contract/endpoints.ts'
import { FORM_TYPE } from '../../contract/form.ts'

const paths = Object.values(ENDPOINTS).map(({ path }) => path)
const fields = ['idNumber', 'amount', 'entityId', 'externalTrxId', 'preApproveId', 'installmentOption', 'email', 'url']
const anyText = unicodeText({ maxLength: 40 })
const field = fc.oneof(fc.constantFrom(...fields, 'eventTypes', 'filters', 'projectId', '__proto__'), anyText)
const body = fc.oneof(
  fc.dictionary(field, fc.anything({ withNullPrototype: true })).map((value) => toJson(value)),
  fc.dictionary(field, anyText).map((value) => new URLSearchParams(value).toString()),
  anyText,
)

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '{'
  }
}

test('every request gets an answer of the service, never an internal fault', async () => {
  await using kit = await sandboxKit()
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD'),
    path: fc.oneof(
      fc
        .tuple(fc.constantFrom(...paths), anyText)
        .map(([path, value]) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(value.toWellFormed()))),
      fc.webPath(),
      fc.constantFrom('/pay/', '/widget.js', '/_sandbox/pay', '/partner/%', '//', '/%2e%2e/partner/leads'),
    ),
    type: fc.constantFrom(FORM_TYPE, 'application/json', 'text/plain', undefined),
    key: fc.constantFrom(kit.bnpl.apiKey, kit.estate.apiKey, kit.inactive.apiKey, 'x', undefined),
    body,
    bytes: fc.option(fc.uint8Array({ maxLength: 50 }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, type, key, body, bytes }) => {
      const answer = await kit.sandbox.transport({
        method,
        url: `${BASE}${path}`,
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: bytes ?? Buffer.from(body),
        timeoutMs: 30_000,
        maxBytes: 1_000_000,
      })
      expect(answer.status, new TextDecoder().decode(answer.body)).not.toBe(500)
      expect(answer.status).toBeGreaterThanOrEqual(200)
    }),
  )
})
