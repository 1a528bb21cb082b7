import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, TestRunner, test, vi } from 'vitest'
import type { TestModule } from 'vitest/node'
import { drawFrom } from '../src/domain/drawing.ts'
import { needsProgram, needsSystem } from './kit/needs.ts'
import { processorMs } from './kit/processor-time.ts'
import { runNotes } from './kit/run-notes.ts'
import { random, restart, SEED, seedFor } from './kit/seed.ts'
import { ROOT } from './kit/source-graph.ts'

/** The tests contain no unseeded chance, and each test that could not run is reported. */

const first = [random(), random()]

test('the random numbers of each test file start at the beginning of the sequence of the seed', () => {
  const expected = drawFrom(SEED)
  expect(first).toEqual([expected(), expected()])
  restart()
  expect(random()).toBe(first[0])
  expect(first.every((value) => value >= 0 && value < 1)).toBe(true)
})

test('property tests use the seed of the run, and draw the same cases every time', () => {
  expect(fc.readConfigureGlobal().seed).toBe(SEED)
  const drawn = () => {
    const cases: string[] = []
    fc.assert(fc.property(fc.string(), (text) => void cases.push(text)))
    return cases
  }
  expect(drawn()).toEqual(drawn())
})

test('the seed is fixed for npm test, new for npm run fuzz, and can be set with BNPL_FUZZ_SEED', () => {
  const draw = () => 4711
  expect(seedFor({}, draw)).toBe(seedFor({}, () => 815))
  expect(seedFor({ BNPL_FUZZ: '1' }, draw)).toBe(4711)
  expect(seedFor({ BNPL_FUZZ: '1', BNPL_FUZZ_SEED: '-12' }, draw)).toBe(-12)
  expect(seedFor({ BNPL_FUZZ_SEED: '12' }, draw)).toBe(12)
  for (const wrong of ['', 'x', '1.5', '4294967296'])
    expect(() => seedFor({ BNPL_FUZZ_SEED: wrong }, draw)).toThrow('BNPL_FUZZ_SEED')
})

test('no test uses another source of random numbers, or skipIf or runIf, which give no reason', () => {
  const paths = globSync(['src/**/*.test.ts', 'test/**/*.ts'], { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  const naming = (pattern: RegExp) => paths.filter((path) => pattern.test(readFileSync(join(ROOT, path), 'utf8')))
  // The words are put together, so that this test does not find them in its own file.
  const others = [
    `Math\\.${'random'}`,
    `${'random'}(Bytes|Int|UUID|FillSync)\\(`,
    `${'getRandom'}Values`,
    `fc\\.${'sample'}`,
  ]
  expect(naming(new RegExp(others.join('|')))).toEqual([])
  expect(naming(new RegExp(`\\b(test|it|describe)\\.(${'skip'}If|${'run'}If)\\b`))).toEqual([])
  expect(naming(/\b(seed|numRuns): *(Date|performance|process)/)).toEqual([])
  // `unicodeText` draws the same characters, without two seconds for a table of all of them.
  expect(naming(/\bunit: ['"]binary['"]/)).toEqual([])
})

test('no concurrent test polls with the global expect, which loses its test when another test ends', () => {
  const paths = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT })
  const concurrent = paths.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split(/^(?=test\b)/m)
      .filter((block) => block.startsWith('test.concurrent') && block.includes(`expect.${'poll'}(`))
      .map((block) => [path, block.slice(0, 80)]),
  )
  expect(concurrent).toEqual([])
})

test('a skipped test names what the machine lacks', () => {
  const skipped: unknown[] = []
  const running = vi.spyOn(TestRunner, 'getCurrentTest')
  running.mockReturnValue({ context: { skip: (reason: unknown) => skipped.push(reason) } } as never)
  try {
    needsProgram('sh')
    needsSystem(process.platform)
    expect(skipped).toEqual([])
    needsProgram('no-such-program')
    needsSystem('aix')
    expect(skipped).toEqual(['no-such-program is not installed', 'the system is not aix'])
  } finally {
    running.mockRestore()
  }
})

/** Returns the notes about a run with these tests. */
function notesOf(
  tests: readonly { state: string; note?: string }[],
  {
    fuzzing = false,
    leftOut = [],
    reason = 'passed',
  }: { fuzzing?: boolean; leftOut?: string[]; reason?: 'passed' | 'failed' } = {},
): string[] {
  const written: string[] = []
  const notes = runNotes({ fuzzing, seed: 4711, leftOut, write: (line) => written.push(line) })
  const all = tests.map((result) => ({ result: () => result }))
  const children = { allTests: (state: string) => all.filter((each) => each.result().state === state) }
  notes.onInit?.(undefined as never)
  void notes.onTestRunEnd?.([{ children } as unknown as TestModule], [], reason)
  return written
}

test('one line at the end of a run lists what was not tested, with the reason', () => {
  const fish = { state: 'skipped', note: 'fish is not installed' }
  const zsh = { state: 'skipped', note: 'zsh is not installed' }
  expect(notesOf([{ state: 'passed' }, fish, { state: 'skipped' }, zsh, fish])).toEqual([
    'Not tested on this machine: 2 tests: fish is not installed; 1 test: zsh is not installed.',
  ])
  expect(notesOf([], { leftOut: ['9 files of tests in a browser: Chrome is not installed'] })).toEqual([
    'Not tested on this machine: 9 files of tests in a browser: Chrome is not installed.',
  ])
  expect(notesOf([{ state: 'passed' }, { state: 'skipped' }])).toEqual([])
})

test('npm run fuzz prints its seed at the start, and again when the run fails', () => {
  const line = 'The seed is 4711; BNPL_FUZZ_SEED=4711 npm run fuzz draws the same cases.'
  expect(notesOf([], { fuzzing: true })).toEqual([line])
  expect(notesOf([], { fuzzing: true, reason: 'failed' })).toEqual([line, line])
  expect(notesOf([], { reason: 'failed' })).toEqual([])
})

test('the slowest files are named by the processor time that they and their programs use', () => {
  const written: string[] = []
  const notes = runNotes({ fuzzing: false, seed: 1, leftOut: [], slowest: 2, write: (line) => written.push(line) })
  const file = (relativeModuleId: string, used: number, duration: number) => ({
    relativeModuleId,
    meta: () => ({ processorMs: used }),
    diagnostic: () => ({ duration }),
    children: { allTests: (state?: string) => (state === undefined ? [{}, {}] : []) },
  })
  const files = [file('waits.test.ts', 400, 9_000), file('idle.test.ts', 0, 10), file('works.test.ts', 2_000, 2_500)]
  void notes.onTestRunEnd?.(files as unknown as TestModule[], [], 'passed')
  expect(written).toEqual([
    '   2.0 s of a processor,    2.5 s,    2 tests  works.test.ts',
    '   0.4 s of a processor,    9.0 s,    2 tests  waits.test.ts',
  ])
  const before = processorMs()
  spawnSync(process.execPath, ['-e', 'for (const end = Date.now() + 100; Date.now() < end; );'])
  expect(process.platform !== 'linux' || processorMs() - before > 0).toBe(true)
})
