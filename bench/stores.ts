import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHistory } from '../src/history/sqlite.ts'
import { readProfileFile } from '../src/profiles/file.ts'
import { openProfiles } from '../src/profiles/store.ts'
import { killWriters, orphans, runWorkers } from '../test/kit/store-processes.ts'

/**
 * The checks of test/store-concurrency.test.ts with their full numbers: `node bench/stores.ts`, which takes some minutes.
 * The exit code is 1 when anything was lost.
 */

const PROCESSES = 64
const WRITES = 10
const KILLS = 200

const dir = mkdtempSync(join(tmpdir(), 'bnpl-stores-'))
const configDir = join(dir, 'config')
const stateDir = join(dir, 'state')
let lost = 0

function report(what: string, found: number, wanted: number): void {
  if (found !== wanted) lost++
  console.log(`${found === wanted ? 'ok  ' : 'LOST'} ${what}: ${found} of ${wanted}`)
}

const began = performance.now()
await runWorkers('profiles', configDir, PROCESSES, WRITES)
report(
  'profile writes kept',
  Object.keys((await readProfileFile(configDir))?.profiles ?? {}).length,
  PROCESSES * WRITES,
)

await runWorkers('state', stateDir, PROCESSES, WRITES)
const history = await openHistory(stateDir, {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: async () => {},
})
report('transactions kept', (await history.list({ limit: 10_000 })).length, PROCESSES * WRITES + 1)
await history.close()

const { torn, orphans: left } = await killWriters(configDir, KILLS)
report('whole files after a kill', KILLS - torn, KILLS)
await (await openProfiles(configDir)).update((file) => file)
console.log(`     half-written files left by ${KILLS} kills: ${left}`)
report('of them after the next change', orphans(configDir), 0)
console.log(`     ${Math.round((performance.now() - began) / 1000)} s`)

rmSync(dir, { recursive: true })
process.exitCode = lost === 0 ? 0 : 1
