import type { Reporter, TestModule } from 'vitest/node'
import type {} from './processor-time.ts'

/** The run that the notes are about, and the function that writes them. */
export interface NotesOptions {
  fuzzing: boolean
  seed: number
  /** The reasons why whole files were left out. */
  leftOut: readonly string[]
  /** How many of the slowest files are named at the end. */
  slowest?: number
  write: (line: string) => void
}

/**
 * Returns a reporter that adds lines to the runner's own. For `npm run fuzz` they name the seed, at the beginning and after a failure. At
 * the end, one line names what could not be tested on this machine, and why.
 */
export function runNotes({ fuzzing, seed, leftOut, slowest = 0, write }: NotesOptions): Reporter {
  const repeat = `The seed is ${seed}; BNPL_FUZZ_SEED=${seed} npm run fuzz draws the same cases.`
  return {
    onInit: () => {
      if (fuzzing) write(repeat)
    },
    onTestRunEnd: (modules, _errors, reason) => {
      const notRun = notRunLine([...leftOut, ...reasonsIn(modules)])
      if (notRun !== undefined) write(notRun)
      for (const line of slowestFiles(modules, slowest)) write(line)
      if (fuzzing && reason === 'failed') write(repeat)
    },
  }
}

/** Returns the reasons why tests were skipped. Tests that a filter (`-t`) left out have no reason. */
function reasonsIn(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('skipped')].flatMap((test) => {
      const result = test.result()
      return result.state === 'skipped' && result.note !== undefined ? [`1 test: ${result.note}`] : []
    }),
  )
}

/**
 * Returns a line for each of the files that use the processor longest: its processor time, the duration of its tests, how many there are,
 * and its path. Where the processor time is not measured, the duration decides.
 */
function slowestFiles(modules: readonly TestModule[], most: number): string[] {
  if (most === 0) return []
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`
  return modules
    .map((module) => ({ module, used: module.meta().processorMs ?? 0, ms: module.diagnostic().duration }))
    .sort((a, b) => b.used - a.used || b.ms - a.ms)
    .slice(0, most)
    .map(({ module, used, ms }) => {
      const tests = String([...module.children.allTests()].length).padStart(4)
      return `${seconds(used)} of a processor, ${seconds(ms)}, ${tests} tests  ${module.relativeModuleId}`
    })
}

/**
 * Returns one line with all reasons, in which equal reasons are counted; undefined if there are none. @param reasons `N test(s) …: reason`
 */
function notRunLine(reasons: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const each of reasons) counts.set(each, (counts.get(each) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const parts = [...counts].map(([reason, count]) =>
    count === 1 ? reason : reason.replace('1 test:', `${count} tests:`),
  )
  return `Not tested on this machine: ${parts.join('; ')}.`
}
