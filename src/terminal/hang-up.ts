import { readFileSync } from 'node:fs'

/** The bit of SIGHUP in a set of signals of Linux. */
const HUP_BIT = 1n
const WRITE_ONLY = 1

/**
 * Whether the program was started in a way that survives the end of its session: by `nohup`, or by a program that ignores SIGHUP itself.
 * Node resets every signal when it starts, so it cannot be asked. There are three signs, and the last two exist only on Linux:
 * - the shell that started `nohup` names it in the variable `_`;
 * - `nohup` opens /dev/null as a stdin that cannot be read;
 * - the parent process ignores SIGHUP, such as a script that `nohup` runs.
 */
export function survivesHangUp(env: Readonly<Record<string, string | undefined>>, parent: number): boolean {
  if (/(^|\/)nohup$/.test(env._ ?? '')) return true
  return hasUnreadableStdin() || ignoresHangUp(parent)
}

function hasUnreadableStdin(): boolean {
  const flags = /^flags:\s*0?(\d+)$/m.exec(read('/proc/self/fdinfo/0'))?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) === WRITE_ONLY
}

function ignoresHangUp(pid: number): boolean {
  // The first process of a machine or a container adopts the children of programs that ended, and says nothing about their signals.
  if (pid === 1) return false
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(read(`/proc/${pid}/status`))?.[1]
  return ignored !== undefined && (BigInt(`0x${ignored}`) & HUP_BIT) !== 0n
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
