import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { FRESH_MS } from '../../src/receiver/health/health-server.ts'
import { cleanUp, deliver, startHere, startListener } from './listener.ts'

/** A receiver on a full disk. A limit on the size of files has this effect, and needs no rights and no disk of its own. */

// The tests of this file mostly wait, so they run at the same time. What they have started is ended after the last test.
afterAll(cleanUp)

test.concurrent('a receiver stays not ready while a delivery of usual size does not fit, even if a small write would [attack 21]', async () => {
  const listener = await startListener({ args: ['--metrics-port', '0', '--no-print'], before: 'ulimit -f 3000' })
  const { metricsUrl } = JSON.parse(readFileSync(join(listener.dir, 'ready.json'), 'utf8'))
  const ready = async () => (await fetch(new URL('/readyz', metricsUrl))).status
  const send = async (i: number) => (await deliver(listener, { eventId: `e${i}`, data: 'x'.repeat(200_000) })).status
  expect(await ready()).toBe(200)
  let refused = 0
  for (let i = 0; refused < 5 && i < 500; i++) refused = (await send(i)) === 503 ? refused + 1 : 0
  expect(refused).toBe(5)
  for (let i = 0; i < 3; i++) {
    // This waits until the last proof is too old, so that a new one is made.
    await pause(FRESH_MS + 100)
    expect([await ready(), await send(1000 + i)]).toEqual([503, 503])
  }
})

test.concurrent.each([0, 8, 40, 64])(
  'a start on a disk with only %d KiB is exit 13 and reports that no room is left [attack 22]',
  async (limit) => {
    const fresh = await startListener({ unready: true, before: `ulimit -f ${limit}` })
    expect([await fresh.ended, fresh.stderr()]).toEqual([
      13,
      expect.stringMatching(/no room is left|Make room|Raise the limit/),
    ])
    const first = await startHere()
    await deliver(first)
    await first.end('SIGTERM')
    const again = await startListener({ dir: first.dir, unready: true, before: `ulimit -f ${limit}` })
    expect([await again.ended, again.stderr()]).toEqual([
      13,
      expect.stringMatching(/no room is left|Make room|Raise the limit/),
    ])
    expect(again.stderr()).not.toContain('Listening')
  },
)
