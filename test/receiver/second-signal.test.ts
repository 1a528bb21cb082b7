import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createNetwork } from '../../src/client/network.ts'
import { takeStop } from '../../src/commands/long-run.ts'
import type { SignalName } from '../../src/context.ts'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import { FORWARD_PAUSES } from '../../src/receiver/forwarding/forwarder.ts'
import { startReceiver } from '../../src/receiver/receiver.ts'
import { realClock } from '../kit/harness.ts'
import { random } from '../kit/seed.ts'
import { deliver, ON_LOOPBACK } from './listener.ts'

test('a second signal ends a drain at once, and the acknowledged event remains in the inbox', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-receiver-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  // This handler receives the event and never answers.
  const handler = createServer(() => {})
  await new Promise<void>((ready) => handler.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    handler.closeAllConnections()
    handler.close()
  })
  let send: (name: SignalName) => void = () => {}
  const world = {
    signal: new AbortController().signal,
    takeSignals: (take: typeof send) => {
      send = take
      return () => {}
    },
  }
  const stop = takeStop(world)
  const inbox = await openInbox(dir)
  const { transport, close } = createNetwork({ env: {} })
  onTestFinished(close)
  const url = `http://127.0.0.1:${(handler.address() as AddressInfo).port}/`
  const receiver = await startReceiver({
    ...ON_LOOPBACK,
    inbox,
    forward: {
      target: { url, transport, clock: realClock, timeoutMs: 3_600_000, userAgent: 'test' },
      retry: { ...FORWARD_PAUSES, attempts: 8 },
      random,
      onResult: () => {},
    },
    emit: async (events) => ({ taken: events.length, more: true }),
    observe: () => {},
    onError: (error) => expect.fail(String(error)),
  })
  const handed = once(handler, 'request')
  expect((await deliver({ url: `http://127.0.0.1:${receiver.port}/webhooks` })).status).toBe(200)
  await handed

  send('SIGINT')
  expect(await stop.wanted).toMatchObject({ exitCode: 130 })
  let isClosed = false
  const closed = receiver.close(3_600_000, stop.atOnce).then(() => {
    isClosed = true
  })
  await new Promise(setImmediate)
  expect(isClosed).toBe(false)
  send('SIGINT')
  await closed
  expect(await inbox.backlog()).toMatchObject({ waiting: 1 })
  await inbox.close()
})
