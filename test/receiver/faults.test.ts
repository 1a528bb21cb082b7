import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { machine, type RunOptions, realClock } from '../kit/harness.ts'
import { deliver, SECRET, until } from './listener.ts'

/** Whether the inbox of this file's listeners throws an error. */
const inbox = vi.hoisted(() => ({ isBroken: false }))

vi.mock('../../src/receiver/file/receiving-inbox.ts', async (original) => {
  const { openInboxThread, ...rest } = await original<typeof import('../../src/receiver/file/receiving-inbox.ts')>()
  return {
    ...rest,
    openInboxThread: async (...args: Parameters<typeof openInboxThread>) => {
      const opened = await openInboxThread(...args)
      return {
        ...opened,
        commit: (...batch: Parameters<typeof opened.commit>) => {
          if (inbox.isBroken) throw new TypeError('canary: cannot be bound')
          return opened.commit(...batch)
        },
      }
    },
  }
})

/** Starts a listener in this process, and sends it a delivery when it is ready. */
async function listenAndDeliver(options: RunOptions, beforeDelivery: () => void) {
  using m = machine()
  const ready = join(m.dir, 'ready.json')
  const ended = m.run(['webhooks', 'listen', '--port', '0', '--ready-file', ready], {
    env: { BNPL_WEBHOOK_SECRET: SECRET },
    ...options,
  })
  await until(() => existsSync(ready))
  const { url } = JSON.parse(readFileSync(ready, 'utf8'))
  beforeDelivery()
  const { status } = await deliver({ url })
  return { status, ran: await ended }
}

test('a listener whose inbox has a fault ends with 1 and reports the place of the fault, without its message [row 112]', async () => {
  inbox.isBroken = false
  const { status, ran } = await listenAndDeliver({}, () => {
    inbox.isBroken = true
  })
  inbox.isBroken = false
  expect(status).toBe(503)
  expect(ran.code).toBe(1)
  expect(ran.stderr).toMatch(/^error: a fault in bnpl \S+ itself \(TypeError \S*faults\.test\.ts:\d+:\d+\)/m)
  expect(ran.stderr).not.toContain('canary')
})

test('a fault before the event reaches the inbox also ends the listener with 1 [row 112]', async () => {
  let isBroken = false
  const now = () => {
    if (isBroken) throw new RangeError('canary')
    return Date.now()
  }
  const { status, ran } = await listenAndDeliver({ clock: { ...realClock, now } }, () => {
    isBroken = true
  })
  expect(status).toBe(500)
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('RangeError')
  expect(ran.stderr).not.toContain('canary')
})
