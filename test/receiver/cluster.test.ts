import { afterEach, expect, test } from 'vitest'
import { runCluster } from './cluster.ts'
import { cleanUp } from './listener.ts'

afterEach(cleanUp)

test('three receivers on one database, killed at random, the database stopped and started: nothing acknowledged is lost, order is kept', async () => {
  const report = await runCluster({ receivers: 3, loadMs: 4000, killEveryMs: 700, senders: 6, outageMs: 700 })
  expect(report).toMatchObject({
    acknowledgedWhileAway: [],
    unrecorded: [],
    unforwarded: [],
    unemitted: [],
    outOfOrder: [],
    storedTwice: [],
  })
  expect(report.forwardedAgain).toBeLessThanOrEqual(report.forwardedAgainAllowed)
  expect(report.acknowledged).toBeGreaterThan(0)
  expect(report.refused).toBeGreaterThan(0)
  expect(report.kills).toBeGreaterThan(0)
}, 180_000)
