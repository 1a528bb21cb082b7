import { chmodSync, cpSync, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { KeptFileId } from '../src/disk/kept-files.ts'
import { refuseOwner } from '../src/disk/private.ts'
import { exitCodeOf } from '../src/errors.ts'
import { once } from '../src/lifetime.ts'
import { DRIVERS, type Driver, makeReadOnly, runBuilt, type Used } from './kit/file-drivers.ts'
import { AFFLICT, isRoot, NOBODY } from './kit/file-mishaps.ts'
import { type Cell, FILE_OUTCOMES, MISHAPS, type Mishap, type Outcome } from './kit/file-outcomes.ts'
import { type Machine, machine } from './kit/harness.ts'
import { ROOT } from './kit/source-graph.ts'

/** Every mishap happens to every file of ours, before a command and while a command has the file open, and the outcome is checked. */

const EXIT: Record<Outcome, number> = {
  'carried on': 0,
  'made again': 0,
  'closed, and reported': 0,
  'reported, and carried on': 0,
  'refused (2)': 2,
  'refused (3)': 3,
  'refused (5)': 5,
  'not found (6)': 6,
  'not written (13)': 13,
  'stopped (13)': 13,
  'finished (13)': 13,
  '503, not ready, and reported': 13,
}

const drivers = Object.entries(DRIVERS) as [keyof typeof DRIVERS, Driver][]
const mishaps = Object.keys(MISHAPS) as Mishap[]

/** Returns the outcome that this test must check; undefined if another test checks it. */
const performed = (cell: Cell): Outcome | undefined => (typeof cell === 'string' ? cell : undefined)

/** The outcomes of commands in processes of their own. Files of one folder that the same command makes share an outcome. */
const ofProcesses = new Map<string, Promise<Used>>()

function inProcess(m: Machine, driver: Driver, mishap: 'full' | 'readOnly', folder: string): Promise<Used> {
  const key = `${driver.line} ${mishap} ${mishap === 'full' ? '' : relative(m.dir, folder)}`
  const known = ofProcesses.get(key) ?? limited(m, driver, mishap, folder)
  ofProcesses.set(key, known)
  return known
}

async function limited(m: Machine, driver: Driver, mishap: 'full' | 'readOnly', folder: string): Promise<Used> {
  const env = driver.env?.(m) ?? {}
  if (mishap === 'full') return runBuilt(m, driver.line, { full: true, env })
  const uid = isRoot ? NOBODY : undefined
  makeReadOnly(m, folder, uid)
  try {
    return await runBuilt(m, driver.line, { env, ...(uid === undefined ? {} : { uid }) })
  } finally {
    chmodSync(folder, 0o700)
  }
}

async function suffer(m: Machine, driver: Driver, mishap: Mishap, path: string): Promise<Used> {
  if (mishap === 'full' || mishap === 'readOnly') return inProcess(m, driver, mishap, dirname(path))
  AFFLICT[mishap](path)
  if (driver.use) return driver.use(m)
  const id = join(m.dir, 'id')
  return m.run(existsSync(id) ? driver.line.replace('ID', readFileSync(id, 'utf8')) : driver.line)
}

/**
 * Returns the outcome for a file of another owner. Only root can give a file away; for other users this calls the check of the owner
 * directly.
 */
function refusalOfOwner(path: string): Used {
  try {
    const found = statSync(path)
    found.uid += 1
    refuseOwner(path, found, dirname(path))
    return { code: 0, stderr: '' }
  } catch (error) {
    return { code: exitCodeOf(error), stderr: `${(error as Error).message} ${path}` }
  }
}

/** Returns a copy of a machine, with its files as they are. */
function copyOf(of: Machine): Machine {
  const m = machine()
  cpSync(of.dir, m.dir, { recursive: true })
  // A copied folder has the default mode.
  for (const entry of globSync('**/*', { cwd: m.dir, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700)
  return m
}

async function before(id: keyof typeof DRIVERS, driver: Driver, mishap: Mishap, made: Machine, place: string) {
  const expected = performed(FILE_OUTCOMES[id][mishap].before)
  if (expected === undefined) return
  using m = copyOf(made)
  const path = join(m.dir, relative(made.dir, place))
  const content = readFileSync(path)
  const isOwners = mishap === 'foreign' && !isRoot
  const { code, stderr } = isOwners ? refusalOfOwner(path) : await suffer(m, driver, mishap, path)
  expect([id, mishap, code, stderr]).toEqual([id, mishap, EXIT[expected], stderr])
  if (expected.startsWith('refused')) expect(stderr).toMatch(/^error: \S/m)
  if (expected === 'refused (3)' && mishap !== 'gone') {
    expect([id, mishap, existsSync(path)]).toEqual([id, mishap, true])
    if (mishap !== 'readOnly') expect(stderr).toContain(path)
  }
  if (expected.endsWith('reported')) expect(stderr).toContain('was open to other users')
  if (expected.startsWith('closed')) {
    const closed = mishap === 'open' ? dirname(path) : path
    expect([id, mishap, statSync(closed).mode & 0o077]).toEqual([id, mishap, 0])
  }
  if (mishap === 'linked') expect(readFileSync(join(dirname(dirname(path)), 'elsewhere'))).toEqual(content)
}

afterAll(async () => {
  for (const { made } of await Promise.all(makings)) made[Symbol.dispose]()
})

const makings: Promise<{ made: Machine; path: string }>[] = []

/** Makes a file once, and copies its machine for each mishap. */
function making(driver: Driver): () => Promise<{ made: Machine; path: string }> {
  return once(() => {
    const made = machine()
    const making = driver.make(made).then((path) => ({ made, path }))
    makings.push(making)
    return making
  })
}

for (const [id, driver] of drivers) {
  const make = making(driver)

  test(`${id}: every mishap before a command starts leads to its documented outcome [row 114]`, async () => {
    const { made, path } = await make()
    await Promise.all(mishaps.map((mishap) => before(id, driver, mishap, made, path)))
  })

  const { hold } = driver
  if (hold === undefined) continue
  test(`${id}: every mishap while a command has the file open leads to its documented outcome [row 114]`, async () => {
    const { made, path: place } = await make()
    for (const mishap of mishaps) {
      const expected = performed(FILE_OUTCOMES[id][mishap].during)
      if (expected === undefined || mishap === 'full' || mishap === 'readOnly') continue
      if (mishap === 'foreign' && !isRoot) continue
      using m = copyOf(made)
      const path = join(m.dir, relative(made.dir, place))
      const outcome = await hold(m, () => AFFLICT[mishap](path)).then(
        () => 0,
        (error: unknown) => exitCodeOf(error),
      )
      expect([id, mishap, outcome]).toEqual([id, mishap, EXIT[expected]])
    }
  })
}

test('every documented outcome of a mishap has a test, or a reason why there is no test [row 114]', () => {
  const loose: string[] = []
  for (const [id, row] of Object.entries(FILE_OUTCOMES) as [KeptFileId, (typeof FILE_OUTCOMES)[KeptFileId]][]) {
    const driver = drivers.find(([name]) => name === id)?.[1]
    for (const mishap of mishaps) {
      for (const [when, cell] of Object.entries(row[mishap]) as ['before' | 'during', Cell][]) {
        if (typeof cell !== 'string') {
          if ('none' in cell ? cell.none.length < 10 : !existsSync(join(ROOT, cell.heldBy)))
            loose.push(`${id} ${mishap}`)
          continue
        }
        const runs = when === 'before' ? driver !== undefined : driver?.hold !== undefined
        if (!runs) loose.push(`${id} ${mishap} ${when}`)
      }
    }
  }
  expect(loose).toEqual([])
})
