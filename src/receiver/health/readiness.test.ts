import { expect, test } from 'vitest'
import { createReadiness, FRESH_MS, PROOF_MS } from './readiness.ts'

/** A clock that the test moves, and an inbox whose probe ends when the test says so. */
function bench() {
  let now = 0
  let wake = () => {}
  const probes: PromiseWithResolvers<void>[] = []
  const clock = {
    now: () => now,
    monotonic: () => now,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        wake = resolve
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const probe = () => {
    const one = Promise.withResolvers<void>()
    probes.push(one)
    return one.promise
  }
  const pass = (ms: number) => {
    now += ms
    wake()
  }
  return { readiness: createReadiness({ probe }, clock), probes, pass }
}

test('a check probes the inbox once for all callers, and needs no new probe after a recent probe or write', async () => {
  const { readiness, probes, pass } = bench()
  expect(await readiness.check()).toBe('starting')
  readiness.opened()
  const asked = [readiness.check(), readiness.check()]
  expect(probes).toHaveLength(1)
  probes[0]?.resolve()
  expect(await Promise.all(asked)).toEqual(['ready', 'ready'])
  expect(await readiness.check()).toBe('ready')
  pass(FRESH_MS)
  readiness.wrote()
  expect(await readiness.check()).toBe('ready')
  expect(probes).toHaveLength(1)
})

test('a failed write makes the receiver not ready at once, until a probe succeeds', async () => {
  const { readiness, probes, pass } = bench()
  readiness.opened()
  readiness.failed()
  expect(await readiness.check()).toBe('not-writable')
  pass(FRESH_MS)
  const first = readiness.check()
  probes[0]?.reject(new Error('no room'))
  expect(await first).toBe('not-writable')
  pass(FRESH_MS)
  const second = readiness.check()
  probes[1]?.resolve()
  expect(await second).toBe('ready')
  readiness.ending()
  expect(await readiness.check()).toBe('ending')
})

test('a disk that does not answer means not ready, and is not asked twice at once', async () => {
  const { readiness, probes, pass } = bench()
  readiness.opened()
  const first = readiness.check()
  pass(PROOF_MS)
  expect(await first).toBe('not-writable')
  const second = readiness.check()
  pass(PROOF_MS)
  expect(await second).toBe('not-writable')
  expect(probes).toHaveLength(1)
  probes[0]?.resolve()
  await probes[0]?.promise
  expect(readiness.known()).toBe('ready')
})

test('a write after a failure does not make the receiver ready, but starts a probe once the last probe is old', async () => {
  const { readiness, probes, pass } = bench()
  readiness.opened()
  expect(readiness.known()).toBe('ready')
  readiness.failed()
  pass(FRESH_MS - 1)
  readiness.wrote()
  expect([readiness.known(), probes.length]).toEqual(['not-writable', 0])
  pass(1)
  readiness.wrote()
  expect([readiness.known(), probes.length]).toEqual(['not-writable', 1])
  probes[0]?.resolve()
  await expect.poll(() => readiness.known()).toBe('ready')
})

test('a receiver that is ending asks its disk for no more proofs', async () => {
  const { readiness, probes } = bench()
  readiness.opened()
  readiness.ending()
  expect(await readiness.check()).toBe('ending')
  expect(probes).toHaveLength(0)
})
