import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = (): number => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Returns the CPU seconds that processes and their children, ended ones too, have used so far. Linux only. */
export function cpuSeconds(pids: readonly number[]): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  let ticks = 0
  for (const pid of all) {
    const fields = statOf(pid)
    if (fields === undefined) continue
    const parent = Number(fields[1])
    if (pids.includes(Number(pid))) ticks += fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
    else if (pids.includes(parent)) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / ticksPerSecond()
}

/** Returns the fields after the name of a process: state, parent, …, utime, stime, cutime, cstime. The name may contain any character. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
