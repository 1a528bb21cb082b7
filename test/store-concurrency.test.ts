import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHistory } from '../src/history/sqlite.ts'
import { readProfileFile } from '../src/profiles/file.ts'
import { withLock } from '../src/profiles/lock.ts'
import { machine, realClock } from './kit/harness.ts'
import { killWriters, orphans, runWorkers, startWorker } from './kit/store-processes.ts'

// The full numbers (64 × 10 writes, 200 kills) are in bench/stores.ts.

test('every write of many processes at the same time is kept [row 88]', async () => {
  using m = machine()
  expect(await runWorkers('profiles', m.configDir, 4, 10)).toEqual(Array(4).fill(0))
  expect(Object.keys((await readProfileFile(m.configDir))?.profiles ?? {})).toHaveLength(40)
  expect(orphans(m.configDir)).toBe(0)
})

test('everything that many processes store at the same time is kept, from the first opening on', async () => {
  using m = machine()
  expect(await runWorkers('state', m.stateDir, 4, 10)).toEqual(Array(4).fill(0))
  const history = await openHistory(m.stateDir, realClock)
  expect(await history.list({ limit: 1000 })).toHaveLength(41)
  expect(await history.find('acme', 'everybody')).toMatchObject({ amount: 9, installments: 9 })
  await history.close()
})

test('a lock is released when the process that holds the lock is killed [row 89]', async () => {
  using m = machine()
  mkdirSync(m.configDir, { mode: 0o700 })
  const lock = join(m.configDir, 'profiles.lock')
  const holder = await startWorker('lock', lock)
  onTestFinished(() => void holder.kill('SIGKILL'))
  await expect(withLock(lock, async () => 'in', { waitMs: 50 })).rejects.toMatchObject({
    kind: 'config',
    code: 'LOCKED',
  })
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(await withLock(lock, async () => 'in')).toBe('in')
  expect(await m.run('profiles use sandbox')).toMatchObject({ code: 0 })
})

test('a waiting caller in the same process gets the lock when the lock is released', async () => {
  using m = machine()
  const order: string[] = []
  const lock = join(m.dir, 'lock')
  let release = () => {}
  const held = withLock(lock, async () => {
    order.push('first')
    await new Promise<void>((resolve) => {
      release = resolve
    })
  })
  const waiting = withLock(lock, async () => order.push('second'))
  await expect.poll(() => order).toEqual(['first'])
  order.push('released')
  release()
  await Promise.all([held, waiting])
  expect(order).toEqual(['first', 'released', 'second'])
})

test('a writer that is killed at any moment leaves a whole file, and the next change removes its half-written file [row 90]', async () => {
  using m = machine()
  const { torn } = await killWriters(m.configDir, 5)
  expect(torn).toBe(0)
  // The file that a killed writer leaves contains keys, so only its owner may read it.
  for (const name of readdirSync(m.configDir))
    expect([name, statSync(join(m.configDir, name)).mode & 0o077]).toEqual([name, 0])
  const orphan = join(m.configDir, 'profiles.json.tmp-17321234567f3a2b')
  const other = join(m.configDir, 'profiles.json.bak')
  writeFileSync(orphan, '{"version":1,"profiles":{"acme":{"apiKey":"half a k')
  writeFileSync(other, 'mine', { mode: 0o600 })
  expect(await m.run('profiles use sandbox')).toMatchObject({ code: 0 })
  expect([orphans(m.configDir), existsSync(orphan), readFileSync(other, 'utf8')]).toEqual([0, false, 'mine'])
})
