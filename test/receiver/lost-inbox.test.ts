import { execFileSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { type Claim, tryClaim } from '../../src/disk/claim.ts'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import { machine } from '../kit/harness.ts'
import { cleanUp, deliver, deliverAll, folder, type Listener, startHere, startListener, until } from './listener.ts'

/** An inbox whose files are removed, cut or damaged, before a receiver starts or while it runs. */

// The tests of this file mostly wait, so they run at the same time. What they have started is ended after the last test.
afterAll(cleanUp)

const watched = () => startHere({ args: ['--metrics-port', '0', '--no-print'] })
const inState = ({ dir }: Listener, name: string) => join(dir, 'state', name)

async function readyz(listener: Listener): Promise<number> {
  const { metricsUrl } = JSON.parse(readFileSync(join(listener.dir, 'ready.json'), 'utf8'))
  return (await fetch(new URL('/readyz', metricsUrl))).status
}

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => ({ eventId: `${prefix}${i}` }))

function eventsIn(path: string): string[] {
  using db = new DatabaseSync(path, { readOnly: true })
  return db
    .prepare('SELECT event_id AS id FROM events ORDER BY seq')
    .all()
    .map(({ id }) => String(id))
}

const savedIn = (listener: Listener) =>
  readdirSync(join(listener.dir, 'state')).filter((name) => /^inbox-saved-.*\.db$/.test(name))

const MISHAPS: Record<string, (listener: Listener) => void> = {
  'inbox.db is removed': (listener) => rmSync(inState(listener, 'inbox.db')),
  'the state folder is removed': ({ dir }) => rmSync(join(dir, 'state'), { recursive: true }),
  'the state folder is moved away': ({ dir }) => renameSync(join(dir, 'state'), join(dir, 'state.old')),
  'inbox.db is replaced by a backup': (listener) => {
    cpSync(inState(listener, 'inbox.db'), inState(listener, 'copy'))
    renameSync(inState(listener, 'copy'), inState(listener, 'inbox.db'))
  },
  'inbox.db is replaced by a link': (listener) => {
    renameSync(inState(listener, 'inbox.db'), join(listener.dir, 'elsewhere.db'))
    symlinkSync(join(listener.dir, 'elsewhere.db'), inState(listener, 'inbox.db'))
  },
  'the log is removed': (listener) => rmSync(inState(listener, 'inbox.db-wal')),
  'the index of the log is removed': (listener) => rmSync(inState(listener, 'inbox.db-shm')),
}

test.concurrent.each(Object.keys(MISHAPS))(
  '%s while a receiver runs: deliveries get 503, one report is printed, and all acknowledged events are saved [attack 1]',
  async (name) => {
    const listener = await watched()
    expect(new Set(await deliverAll(listener, ids('e', 10)))).toEqual(new Set([200]))
    MISHAPS[name]?.(listener)
    expect(new Set(await deliverAll(listener, ids('late', 5)))).toEqual(new Set([503]))
    await until(async () => (await readyz(listener)) === 503)
    await until(() => listener.stderr().includes('are saved in'))
    const [saved = ''] = savedIn(listener)
    expect(eventsIn(inState(listener, saved)).sort()).toEqual(ids('e', 10).map(({ eventId }) => eventId))
    expect(statSync(inState(listener, saved)).mode & 0o777).toBe(0o600)
    expect(listener.stderr().match(/NO DELIVERY IS ACKNOWLEDGED ANY MORE/g)).toHaveLength(1)
    expect((await deliver(listener, { eventId: 'later' })).status).toBe(503)

    // The test follows the message: stop the receiver, put the saved file back, start the receiver.
    const commands = /To put it back, run: (rm .*)/.exec(listener.stderr())?.[1] ?? ''
    await listener.end('SIGTERM')
    execFileSync('sh', ['-c', commands])
    const again = await startHere({ dir: listener.dir })
    expect((await deliver(again, { eventId: 'e3' })).status).toBe(200)
    expect((await deliver(again, { eventId: 'new' })).status).toBe(200)
    await until(() => again.events().some(({ eventId }) => eventId === 'new'))
    expect(eventsIn(inState(again, 'inbox.db'))).toHaveLength(11)
  },
)

test.concurrent('a loss is found without a delivery, and the next start reports the saved inbox [attack 1]', async () => {
  const listener = await watched()
  await deliver(listener, { eventId: 'e1' })
  rmSync(inState(listener, 'inbox.db'))
  await until(() => listener.stderr().includes('are saved in'))
  await listener.end('SIGTERM')
  const again = await startHere({ dir: listener.dir })
  await until(() => /inbox-saved-.*contains the events of an inbox that was lost/.test(again.stderr()))
})

test.concurrent.each([0, 0.7])(
  'a log that is cut to %d of its length while a receiver runs is detected, and deliveries get 503 [attack 1]',
  async (part) => {
    const listener = await watched()
    await deliverAll(listener, ids('e', 20))
    const log = inState(listener, 'inbox.db-wal')
    truncateSync(log, Math.floor(statSync(log).size * part))
    expect(new Set(await deliverAll(listener, ids('late', 5)))).toEqual(new Set([503]))
    expect(await readyz(listener)).toBe(503)
    await until(() => listener.stderr().includes('inbox.db-wal was cut short'))
  },
)

const CUTS: Record<string, { change(path: string): void; what: string }> = {
  emptied: { change: (path) => truncateSync(path, 0), what: 'inbox.db was cut short' },
  'cut in half': { change: (path) => truncateSync(path, statSync(path).size / 2), what: 'inbox.db was cut short' },
  'overwritten in place': {
    change: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size), { flag: 'r+' }),
    what: 'inbox.db was overwritten',
  },
}

test.concurrent.each(Object.entries(CUTS))(
  'inbox.db is %s while a receiver runs: deliveries get 503, one report is printed, and saved copies are complete [attack 1]',
  async (_, { change, what }) => {
    const listener = await watched()
    expect(new Set(await deliverAll(listener, ids('e', 20)))).toEqual(new Set([200]))
    change(inState(listener, 'inbox.db'))
    await until(() => listener.stderr().includes(`${what} while this receiver ran: NO DELIVERY IS ACKNOWLEDGED`))
    expect(new Set(await deliverAll(listener, ids('late', 5)))).toEqual(new Set([503]))
    expect(await readyz(listener)).toBe(503)
    expect(listener.stderr().match(/NO DELIVERY IS ACKNOWLEDGED ANY MORE/g)).toHaveLength(1)
    for (const saved of savedIn(listener)) expect(eventsIn(inState(listener, saved))).toHaveLength(20)
  },
)

test.concurrent('an inbox that was emptied while no receiver ran is refused (3) by listen and by events list [attack 1]', async () => {
  const { dir, path } = await leftInbox()
  writeFileSync(path, '')
  writeFileSync(join(dir, 'state/inbox-saved-2026-01-01T00-00-00-000Z.db'), '', { mode: 0o600 })
  const listener = await startHere({ dir, unready: true })
  expect(await listener.ended).toBe(3)
  await until(() => listener.stderr().includes('is damaged and was not changed'))
  using m = machine()
  cpSync(join(dir, 'state'), m.stateDir, { recursive: true })
  expect(await m.run('webhooks events list')).toMatchObject({ code: 3 })
  expect(statSync(path).size).toBe(0)
  rmSync(path)
  const again = await startHere({ dir })
  expect(again.stderr()).not.toContain('contains the events of an inbox that was lost')
})

/** Makes an inbox of several pages, which a receiver has left. */
async function leftInbox(): Promise<{ dir: string; path: string }> {
  const first = await startHere({ args: ['--no-print'] })
  await deliverAll(
    first,
    ids('e', 200).map((each) => ({ ...each, data: { text: 'x'.repeat(1500) } })),
  )
  await first.end('SIGTERM')
  return { dir: first.dir, path: inState(first, 'inbox.db') }
}

test.concurrent('if any page of an inbox is overwritten, commands work or report the damage, and report no fault in bnpl [attack 6]', async () => {
  const { dir, path } = await leftInbox()
  const whole = readFileSync(path)
  const pages = whole.length / 8192
  expect(pages).toBeGreaterThan(20)
  let refused = 0
  for (let page = 0; page < pages; page++) {
    using m = machine()
    mkdirSync(m.stateDir, { mode: 0o700 })
    const damaged = Buffer.from(whole)
    damaged.fill(0xa5, page * 8192, (page + 1) * 8192)
    writeFileSync(join(m.stateDir, 'inbox.db'), damaged, { mode: 0o600 })
    const listed = await m.run('webhooks events list --json')
    expect([page, [0, 3].includes(listed.code)]).toEqual([page, true])
    const claiming = openInbox(m.stateDir).then(async (inbox) => {
      try {
        await inbox.claim({ pid: 1, address: '' })
      } finally {
        await inbox.close()
      }
    })
    const outcome = await claiming.then(
      () => 'claimed',
      (error) => error.code,
    )
    if (outcome === 'STATE_DAMAGED') refused++
    expect([page, outcome === 'STATE_DAMAGED' || outcome === 'claimed']).toEqual([page, true])
    expect(readFileSync(join(m.stateDir, 'inbox.db')).subarray(page * 8192, (page + 1) * 8192)).toEqual(
      damaged.subarray(page * 8192, (page + 1) * 8192),
    )
  }
  // Damage in the middle of a body is not found, because only a command that shows this body reads its page.
  expect(refused).toBeGreaterThan(pages * 0.9)
  writeFileSync(path, Buffer.from(whole).fill(0xa5, 3 * 8192, 4 * 8192))
  const listener = await startHere({ dir, unready: true })
  expect(await listener.ended).toBe(3)
  await until(() => listener.stderr().includes('is damaged and was not changed'))
  expect(listener.stderr()).not.toContain('Listening')
})

test.concurrent('after its inbox is damaged, a running receiver answers every delivery with 503 and is not ready [attack 6]', async () => {
  const listener = await watched()
  await deliverAll(listener, ids('e', 20))
  using other = new DatabaseSync(inState(listener, 'inbox.db'))
  const note = other.prepare("INSERT OR REPLACE INTO facts VALUES ('noted', ?)")
  note.run('before')
  const log = inState(listener, 'inbox.db-wal')
  const file = openSync(log, 'r+')
  writeSync(file, Buffer.alloc(statSync(log).size - 32, 0xa5), 0, null, 32)
  closeSync(file)
  // After a write of another process, the receiver reads its pages again.
  note.run('after')
  expect((await deliver(listener, { eventId: 'late' })).status).toBe(503)
  expect(await readyz(listener)).toBe(503)
  await until(() => listener.stderr().includes('NOT STORED and not acknowledged (503)'))
  await until(() => listener.stderr().includes('is damaged'))
  expect((await deliver(listener, { eventId: 'later' })).status).toBe(503)
})

test.concurrent('a second receiver is refused even if the lock file was removed, and the first one creates it again [attack 26]', async () => {
  const first = await startListener()
  rmSync(inState(first, 'inbox.lock'))
  const second = await startListener({ dir: first.dir, unready: true })
  expect(await second.ended).toBe(3)
  await until(() => second.stderr().includes(`pid ${first.pid}`))
  await until(() => /inbox.lock was (removed or renamed|replaced) while this receiver ran/.test(first.stderr()))
  // The owner file is removed too. The new lock still keeps another receiver from starting.
  rmSync(inState(first, 'inbox.owner'))
  const third = await startListener({ dir: first.dir, unready: true })
  expect(await third.ended).toBe(3)
  expect((await deliver(first, { eventId: 'e1' })).status).toBe(200)
  expect(await first.end('SIGTERM')).toBe(143)
  const after = await startListener({ dir: first.dir })
  expect((await deliver(after, { eventId: 'e2' })).status).toBe(200)
})

test.concurrent('a receiver whose lock was removed and taken by another receiver refuses every delivery [attack 26]', async () => {
  const first = await watched()
  let claim: Claim | undefined
  while (claim === undefined) {
    rmSync(inState(first, 'inbox.lock'), { force: true })
    rmSync(inState(first, 'inbox.owner'), { force: true })
    claim = tryClaim(inState(first, 'inbox.lock'))
  }
  await until(() => first.stderr().includes('inbox.lock was removed'))
  expect((await deliver(first, { eventId: 'e1' })).status).toBe(503)
  expect(await readyz(first)).toBe(503)
  expect(await first.end('SIGTERM')).toBe(143)
  claim.release()
})

test.concurrent('a link or a file with content at the path of the reserve is refused and unchanged [attack 5]', async () => {
  const dir = folder()
  mkdirSync(join(dir, 'state'), { mode: 0o700 })
  const victim = join(dir, 'victim')
  const place = join(dir, 'state/inbox.reserve')
  writeFileSync(victim, 'precious')
  symlinkSync(victim, place)
  const linked = await startHere({ dir, unready: true })
  expect(await linked.ended).toBe(3)
  await until(() => linked.stderr().includes('is a symbolic link'))
  rmSync(place)
  writeFileSync(place, 'precious', { mode: 0o600 })
  const held = await startHere({ dir, unready: true })
  expect(await held.ended).toBe(3)
  expect([readFileSync(victim, 'utf8'), readFileSync(place, 'utf8')]).toEqual(['precious', 'precious'])
})
