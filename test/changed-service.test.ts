import { expect, test } from 'vitest'
import { holdDelivery } from '../src/contract/differences/delivery.ts'
import { holdExchange } from '../src/contract/differences/hold.ts'
import { once } from '../src/once.ts'
import type { ReadEntry } from '../src/recording/learning/learn.ts'
import { learn } from '../src/recording/learning/learn.ts'
import { isMark } from '../src/recording/values.ts'
import { CHANGES, type Change, changedBy } from './changed-service.ts'
import { recordingOf, SANDBOX_PATHS, shapeOf, shapeOfDelivery, type Walked, walkingGround } from './service-walk.ts'

const ground = once(walkingGround)
const plain = once(async () => (await ground()).walk(null))

/** What `contract check` has against the service. The walk also sends a request that is wrong on purpose. */
const differences = (entries: readonly ReadEntry[], paths: typeof SANDBOX_PATHS) =>
  entries
    .flatMap(({ entry }) => {
      if (entry.kind === 'delivery') return holdDelivery(entry.request)
      return entry.kind === 'exchange' ? holdExchange(entry, { paths, isHidden: isMark }).problems : []
    })
    .filter(({ where }) => !where.startsWith('request'))

const shapesOf = ({ visits, deliveries, waits }: Walked) => ({
  ...Object.fromEntries(visits.map(({ step, answer }) => [step, shapeOf(answer)])),
  ...Object.fromEntries(deliveries.map((sent) => [sent.type, shapeOfDelivery(sent)])),
  waits,
})

async function lookAt(change: Change) {
  const { clock, walk } = await ground()
  const service = changedBy(change, await plain())
  const paths = change.paths ?? SANDBOX_PATHS
  const entries = await recordingOf(service, clock, paths)
  const learnt = await learn(entries, paths)
  const like = { manner: learnt.manner, answers: [], fidelity: [] }
  return { service, found: differences(entries, paths), learnt, like: await walk(like, paths) }
}

test.each(CHANGES.map((change) => [change.name, change] as const))('%s', async (_, change) => {
  const { service, found, like } = await lookAt(change)
  expect(found.length > 0 ? 'found' : 'silent').toBe(change.silent ? 'silent' : 'found')
  expect(shapesOf(like)).toEqual(shapesOf(service))
})

test('the unchanged service raises no alarm', async () => {
  const { found, service, like } = await lookAt({ kind: 'nothing', name: 'nothing' })
  expect(found).toEqual([])
  expect(shapesOf(like)).toEqual(shapesOf(service))
})
