import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = (): number => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU seconds that processes and their children, dead and alive, have had so far. Linux. */
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

/** The fields after the name, which may hold anything: state, parent, …, utime, stime, cutime, cstime. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
