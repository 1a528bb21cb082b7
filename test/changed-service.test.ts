import { expect, test } from 'vitest'
import { atPaths } from '../src/commands/sandbox/like.ts'
import { holdDelivery } from '../src/contract/differences/delivery.ts'
import { holdExchange } from '../src/contract/differences/hold.ts'
import type { GapNumber } from '../src/contract/gaps.ts'
import { once } from '../src/once.ts'
import { learn } from '../src/recording/learning/learn.ts'
import { isMark } from '../src/recording/values.ts'
import { allAtOnce, CHANGES, type Change, changedBy, changeNamed } from './changed-service.ts'
import {
  type Line,
  recordingOf,
  SANDBOX_PATHS,
  shapeOf,
  shapeOfDelivery,
  type Walked,
  walkingGround,
} from './service-walk.ts'

const ground = once(walkingGround)
const plain = once(async () => (await ground()).walk(null))

/** Returns the differences that `contract check` reports. The walk also sends a request that is wrong on purpose. */
const differences = (entries: readonly Line[], paths: typeof SANDBOX_PATHS) =>
  entries
    .flatMap(({ entry }) => {
      if (entry.kind === 'delivery') return holdDelivery(entry.request)
      return entry.kind === 'exchange' ? holdExchange(entry, { paths, isHidden: isMark }).problems : []
    })
    .filter(({ where }) => !where.startsWith('request'))

const shapesOf = ({ visits, deliveries, waits }: Walked) => ({
  ...Object.fromEntries(visits.map(({ step, answer, ms }) => [step, { ms, ...shapeOf(answer) }])),
  ...Object.fromEntries(deliveries.map((sent) => [sent.type, shapeOfDelivery(sent)])),
  waits,
})

async function lookAt(change: Change) {
  const { clock, walk } = await ground()
  const { walked: service, parts } = changedBy(change, await plain())
  const paths = change.paths ?? SANDBOX_PATHS
  const entries = await recordingOf(service, clock, paths)
  const learnt = await learn(entries, paths)
  const like = { manner: atPaths(learnt.manner, paths), answers: [], fidelity: [] }
  return { service, found: differences(entries, paths), like: await walk(like, parts, paths) }
}

test.each(CHANGES.map((change) => [change.name, change] as const))(
  'a change of the service is reported unless the contract allows the change, and the learner imitates it: %s',
  async (_, change) => {
    const { service, found, like } = await lookAt(change)
    // The contract allows what the specification leaves open. The learner finds the difference.
    expect(found.length > 0).toBe(change.silent !== true)
    expect(shapesOf(like)).toEqual(shapesOf(service))
  },
)

test('for the unchanged service no difference is reported', async () => {
  const { clock, walk } = await ground()
  const entries = await recordingOf(await plain(), clock, SANDBOX_PATHS)
  expect(differences(entries, SANDBOX_PATHS)).toEqual([])
  const { manner, fidelity } = await learn(entries, SANDBOX_PATHS)
  for (const { success } of Object.values(manner.calls))
    expect(Object.keys(success ?? {}).filter((key) => !['status', 'contentType', 'data'].includes(key))).toEqual([])
  expect(fidelity.own.flatMap(({ facts, same, missing }) => (facts === same ? [] : [...missing]))).toEqual([])
  expect(shapesOf(await walk({ manner, answers: [], fidelity: [] }))).toEqual(shapesOf(await plain()))
})

/** Changes that answer gaps in another way than the sandbox does, and that concern different parts of the service. */
const TOGETHER = [
  'data.preApproveId is evaluationId (evaluate)',
  'data.step is DISBURSEMENT (select)',
  'data.state is VIGENTE (verify)',
  'data.secret is signingSecret (register)',
  'the status is 409 (verify before the payment)',
  'the code is ERR_NO_LOAN (verify before the payment)',
  'the code is ERR_RISK_REJECTED (evaluate a customer who is not approved)',
  'the code is ERR_VALIDATION (evaluate without an amount)',
  'the status is 403 (list with a wrong key)',
  'the code is ERR_INVALID_API_KEY (list with a wrong key)',
  'the code is ERR_NOT_FOUND (get a report that does not exist)',
  'the code is ERR_DESTINATION_UNKNOWN (delete one that does not exist)',
  'the status is 201 (evaluate)',
  '204 without a body (delete a destination)',
  'Retry-After is 30 (evaluate too often)',
  'lists in items, with a page',
  'a type of the vendor',
  'eventId is a number',
  'deliveries have a charset',
  'the signature is SHA-512 in Base64',
  'deliveries are repeated after 1 min and 1 h',
]

/**
 * The answers that the learner must give, by gap, for recordings of a service with these changes. Gaps without a change are answered as by
 * the sandbox.
 */
const ANSWERS: Readonly<Record<number, RegExp>> = {
  1: /^data\.evaluationId$/,
  2: /^DISBURSEMENT$/,
  3: /\bVIGENTE\b/,
  6: /\bsigningSecret\b/,
  7: /^algorithm sha512, in service-signature, over the body as given, encoding base64$/,
  8: /data\.signingSecret/,
  10: /registration: form, subscription: form/,
  11: /loan_approved: 10 fields: preApproveId.*pre_approve: 51 fields: idPreAprobacion/,
  12: /^at least 3 attempts, with waits of 60 s, 3600 s$/,
  13: /^\/partner\/informe\/\{signature\}$/,
  14: /\/partner\/leads; in addition to the leads, the answer contains: page, total/,
  15: /\{"error":\{"code":"\$code","message":"\$message"\}\}/,
  16: /^403 ERR_INVALID_API_KEY$/,
  17: /Retry-After: 30$/,
  18: /offered installments: 3, 6, 12, 24/,
  19: /^no field shows the currency$/,
  20: /^204 without a body$/,
  21: /^409 ERR_NO_LOAN$/,
  23: /^no header and no path shows a version$/,
  25: /^JWT, HS256, valid for 600 s/,
  26: /^422 ERR_RISK_REJECTED$/,
  27: /^brackets$/,
  29: /400 ERR_VALIDATION/,
  33: /monthly; equal installments/,
  34: /422 ERR_RISK_REJECTED/,
  38: /404 ERR_NOT_FOUND/,
  39: /^yes$/,
  40: /404 ERR_DESTINATION_UNKNOWN/,
  44: /listWebhooks: the list is in data\.items/,
  45: /^application\/json; charset=utf-8$/,
  46: /201: evaluate.*204: deleteWebhook/,
  47: /^sent again after the answers 503; not sent again after the answers 200$/,
  48: /^application\/vnd\.partner\+json/,
  49: /^number$/,
}

test('recordings of a service that differs in many ways answer more than thirty gaps rightly', async () => {
  const { clock } = await ground()
  const service = allAtOnce(TOGETHER.map(changeNamed), await plain())
  const { lessons } = await learn(await recordingOf(service, clock, SANDBOX_PATHS), SANDBOX_PATHS)
  const answers = Map.groupBy(lessons, ({ gap }) => gap)
  expect(Object.keys(ANSWERS).length).toBeGreaterThan(30)
  for (const [gap, answer] of Object.entries(ANSWERS)) {
    const learnt = answers.get(Number(gap) as GapNumber) ?? []
    expect([gap, learnt.map((each) => each.answer).join(', ')]).toEqual([gap, expect.stringMatching(answer)])
  }
})

test('at least a hundred changes are tested, each with a different name', () => {
  expect(new Set(CHANGES.map(({ name }) => name)).size).toBe(CHANGES.length)
  expect(CHANGES.length).toBeGreaterThanOrEqual(100)
})
