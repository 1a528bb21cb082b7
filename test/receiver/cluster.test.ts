import { afterEach, expect, test } from 'vitest'
import { createDatabase } from '../kit/postgres.ts'
import { runCluster } from './cluster.ts'
import { startHandler } from './handler.ts'
import { cleanUp, deliver, startListener, until } from './listener.ts'

afterEach(cleanUp)

test('three receivers on one database lose no event and keep the order, despite kills and a database outage', async () => {
  const report = await runCluster({ receivers: 3, loadMs: 1200, killEveryMs: 380, senders: 3, outageMs: 300 })
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
  // A receiver that ran before the outage stored events again, without a restart.
  expect(report.recoveredMs).toBeGreaterThan(0)
})

test('--until ends a receiver even if another receiver forwards its event; --public-url with --database is refused', async () => {
  await using database = await createDatabase()
  const handler = await startHandler()
  const args = ['--database', database.url, '--forward-to', handler.url]
  const first = await startListener({ args })
  expect(await deliver(first, { eventId: 'e0' })).toMatchObject({ status: 200 })
  await until(() => handler.ids().length === 1)
  const second = await startListener({ args: [...args, '--until', '1'] })
  expect(await deliver(second, { eventId: 'e1' })).toMatchObject({ status: 200 })
  expect(await second.ended).toBe(0)
  expect(handler.ids()).toEqual(['e0', 'e1'])
  const third = await startListener({
    args: [...args, '--public-url', 'http://127.0.0.1:1/hook', '-p', 'sandbox'],
    unready: true,
  })
  expect(await third.ended).toBe(2)
  await expect.poll(() => third.stderr()).toContain('bnpl webhooks add http://127.0.0.1:1/hook')
  await handler.stop()
})
