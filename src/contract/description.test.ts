import { expect, test } from 'vitest'
import {
  answerOf,
  answerProblem,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  givenAnswers,
  isDescribed,
  SPECIFICATION,
  sourceInWords,
} from './description.ts'
import { descriptionRecord, readDescriptionFile } from './description-file.ts'
import { SERVICE_NAMES, serviceCalled } from './services.ts'

test('the specification answers every question with a valid answer, and no answer of it is about one service', () => {
  for (const name of FIELD_NAMES) {
    expect([name, answerProblem(name, FIELDS[name].answer)]).toEqual([name, undefined])
    expect(() => answerOf(SPECIFICATION, name)).not.toThrow()
    expect(FIELDS[name].question).toMatch(/\?/)
  }
  expect(isDescribed(SPECIFICATION)).toBe(false)
})

test.each(SERVICE_NAMES)('the service %s answers with valid answers, each from a page that was read', async (name) => {
  const description = await serviceCalled(name)
  if (description === undefined) throw new Error('no description')
  for (const [field, { text, source }] of Object.entries(givenAnswers(description))) {
    expect([field, answerProblem(field as FieldName, text)]).toEqual([field, undefined])
    expect(sourceInWords(source)).toMatch(/^published: .+ \(.+, read \d{4}-\d\d-\d\d\)$/)
  }
  expect(description.name).toBe(name)
})

test.each<[field: FieldName, good: string[], bad: string[]]>([
  ['signatureHeader', ['bancame-signature', 'X-Signature'], ['', 'x signature', 'x:y', 'x\r\ny']],
  ['signatureForm', ['body', 'timestamp', 'any'], ['both', 'Body', '']],
  ['signatureTolerance', ['none', '5m', '300'], ['-5m', 'soon', '']],
  ['hmacEncoding', ['hex', 'base64'], ['base64url', 'HEX']],
  ['deliveryRetries', ['none', '5s', '1m,5m,1h'], ['5s,', 'never', Array(21).fill('1s').join(','), '8d']],
  ['deliveryTimeout', ['5s', '500ms'], ['0', 'none', '30d']],
  ['paths.leads', ['/partner/leads', '/v2/leads'], ['leads', '//evil.example', '/a/../b', '/a?b=1']],
  ['paths.lead', ['/partner/leads/{leadId}'], ['/partner/leads', '/partner/{id}']],
  ['notYet', ['404', '404,empty', 'empty'], ['401', '200', '', '404,', 'none']],
  ['rateLimit', ['100/1m', '1000+250/1s'], ['100', '100/0s', '0/1s', 'a/b']],
  ['amounts', ['1000-50000000', '5-5'], ['5-1', '1000', '1-2-3', '-5-1']],
  ['installmentOptions', ['3', '3,6,12'], ['', '3,,6', '3;6', '1.5']],
  ['loanStates', ['ACTIVE', 'ACTIVE,PAID'], ['ACTIVE, ', 'a b', '']],
  ['wrongKeyStatus', ['400', '401', '403'], ['404', '0401', '']],
  ['preApproveIdField', ['id', 'a.b-c_d'], ['a b', '', '$x']],
  ['deliveryType', ['application/json', 'application/json; charset=utf-8'], ['json', 'application/json\r\nx: y']],
  ['baseUrl', ['none', 'https://api.example.com'], ['http://api.example.com', 'api.example.com', '']],
  ['cancel', ['yes', 'no'], ['true', 'YES', '']],
])('%s takes answers of its closed type only', (field, good, bad) => {
  for (const text of good) expect([text, answerProblem(field, text)]).toEqual([text, undefined])
  for (const text of bad) expect([text, answerProblem(field, text)]).toEqual([text, expect.stringMatching(/^it must/)])
})

test('a written file is read again with its answers and lines', () => {
  const answers = {
    hmacEncoding: { text: 'base64', source: { lines: [3, 7] } },
    deliveryRetries: { text: '1m,5m', source: { lines: [9] } },
  } as const
  const read = readDescriptionFile(JSON.stringify(descriptionRecord(answers)), '/d/service.json')
  if (!read.ok) throw new Error(read.reason)
  expect(read.description.name).toBe('/d/service.json')
  expect(givenAnswers(read.description)).toEqual(answers)
  expect(answerOf(read.description, 'deliveryRetries')).toEqual([60_000, 300_000])
  expect(answerOf(read.description, 'hmacAlgorithm')).toBe('sha256')
  expect(sourceInWords(read.description.answers.hmacEncoding.source)).toBe('learnt from lines 3, 7')
})

const file = (fields: unknown, more = {}) =>
  JSON.stringify({ kind: 'bnpl service description', version: 1, fields, ...more })

test.each([
  ['not JSON', '{', 'it is not JSON'],
  ['a list', '[]', 'its “kind” is not “bnpl service description”'],
  ['another file', '{"version":1}', 'its “kind” is not “bnpl service description”'],
  ['a newer version', file({}, { version: 2 }), 'its “version” is not 1'],
  ['no fields', file([]), 'it has no “fields”'],
  [
    'an unknown field',
    file({ hmacEncodin: { answer: 'hex' } }),
    '“hmacEncodin” is not a field of a description. Did you mean hmacEncoding?',
  ],
  [
    'a name of every object',
    file(JSON.parse('{"__proto__":{"answer":"x"}}')),
    '“__proto__” is not a field of a description',
  ],
  [
    'an answer that is not a text',
    file({ hmacEncoding: { answer: 1 } }),
    'the field hmacEncoding has no “answer”, as text',
  ],
  [
    'an answer of another type',
    file({ hmacEncoding: { answer: 'rot13' } }),
    'the answer of hmacEncoding is not valid: it must be one of hex, base64',
  ],
  ['a recording', '{"kind":"session","v":1,', 'it is a recording'],
])('%s is not a description, and the reason is told', (_, text, reason) => {
  expect(readDescriptionFile(text, 'x')).toMatchObject({ ok: false, reason })
})
