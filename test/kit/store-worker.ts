import { openHistory } from '../../src/history/sqlite.ts'
import { withLock } from '../../src/profiles/lock.ts'
import { openProfiles } from '../../src/profiles/store.ts'

/**
 * A process that writes settings or state, for tests of many processes at the same time. It prints `ready`, and begins its work when its
 * stdin ends, so that all of them can begin at once.
 */

const [task, dir = '', name = '', times = '0'] = process.argv.slice(2)
const writes = Number(times)

switch (task) {
  case 'profiles': {
    await startingShot()
    const store = await openProfiles(dir)
    for (let i = 0; i < writes; i++) await add(store, `${name}-${i}`)
    break
  }
  case 'profiles-for-ever': {
    const store = await openProfiles(dir)
    for (let i = 0; ; i++) {
      await add(store, `${name}-${i % 50}`)
      if (i === 0) process.stdout.write('ready\n')
    }
  }
  case 'lock':
    await withLock(dir, async () => {
      process.stdout.write('ready\n')
      await new Promise((resolve) => setTimeout(resolve, 600_000))
    })
    break
  case 'state': {
    await startingShot()
    const history = await openHistory(dir, { now: Date.now, monotonic: performance.now, sleep: async () => {} })
    for (let i = 0; i < writes; i++) {
      await history.remember('acme', `${name}-${i}`, { amount: i })
      await history.remember('acme', 'everybody', { [Number(name) % 2 === 0 ? 'amount' : 'installments']: i })
    }
    await history.close()
  }
}

async function startingShot() {
  process.stdout.write('ready\n')
  for await (const _ of process.stdin);
}

function add(store: Awaited<ReturnType<typeof openProfiles>>, profile: string) {
  return store.update((file) => ({
    ...file,
    profiles: {
      ...file.profiles,
      [profile]: { environment: 'beta', baseUrl: 'https://a.example', apiKey: 'k'.repeat(500) },
    },
  }))
}
