import type { Reporter, TestModule } from 'vitest/node'

/** What the notes are about, and where they are written. */
export interface NotesOptions {
  fuzzing: boolean
  seed: number
  /** Reasons for which whole files were left out. */
  leftOut: readonly string[]
  write: (line: string) => void
}

/**
 * Lines around the runner's own: the seed of `npm run fuzz` at its beginning and where it failed, and at the end one line that names what
 * could not be tested on this machine, and why.
 */
export function runNotes({ fuzzing, seed, leftOut, write }: NotesOptions): Reporter {
  const repeat = `The seed is ${seed}; BNPL_FUZZ_SEED=${seed} npm run fuzz draws the same cases.`
  return {
    onInit: () => {
      if (fuzzing) write(repeat)
    },
    onTestRunEnd: (modules, _errors, reason) => {
      const notRun = notRunLine([...leftOut, ...reasonsIn(modules)])
      if (notRun !== undefined) write(notRun)
      if (fuzzing && reason === 'failed') write(repeat)
    },
  }
}

/** The reasons that skipped tests gave. One that a filter left out (`-t`) gave none. */
function reasonsIn(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('skipped')].flatMap((test) => {
      const result = test.result()
      return result.state === 'skipped' && result.note !== undefined ? [`1 test: ${result.note}`] : []
    }),
  )
}

/** One line for all reasons, equal ones counted; undefined without any. @param reasons `N test(s) …: reason` */
function notRunLine(reasons: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const each of reasons) counts.set(each, (counts.get(each) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const parts = [...counts].map(([reason, count]) =>
    count === 1 ? reason : reason.replace('1 test:', `${count} tests:`),
  )
  return `Not tested on this machine: ${parts.join('; ')}.`
}
