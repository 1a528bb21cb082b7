import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Finding, notMeasured, publish, quick } from './finding.ts'
import { isInstalled } from './processes.ts'
import { BODY_BYTES, load, NO_WRK, startReceiver } from './receiver/run.ts'

/**
 * Measures the resident memory of `webhooks listen` with nothing to do, and its peak under a load, after a build. Needs wrk, which makes
 * the load, and Linux's /proc.
 */

const CONNECTIONS = 500
const SECONDS = quick ? 2 : 30

const built = join(dirname(import.meta.dirname), 'dist', 'main.cjs')
if (!existsSync(built)) throw new Error('not built: npm run build')
const TITLE = 'Memory of the receiver'

async function memory(): Promise<Finding> {
  const receiver = await startReceiver([built])
  const mib = (field: 'VmRSS' | 'VmHWM') =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${receiver.pid}/status`, 'utf8'))?.[1]) /
    1024
  try {
    await pause(quick ? 500 : 5000)
    const idle = mib('VmRSS')
    const { acksPerSecond, failed } = await load(receiver.url, CONNECTIONS, SECONDS, BODY_BYTES)
    const peak = mib('VmHWM')
    await pause(quick ? 500 : 10_000)
    return {
      title: TITLE,
      about: `Resident MiB of \`bnpl webhooks listen\`: after its start, at its peak while ${CONNECTIONS} connections send as much as they can for ${SECONDS} s, and 10 s later.`,
      columns: ['with nothing to do', 'peak under load', 'afterwards', 'acknowledged per second', 'failed'],
      rows: [[idle, peak, mib('VmRSS'), Math.round(acksPerSecond), failed]],
      missed: failed > 0 ? [`${failed} deliveries failed`] : [],
    }
  } finally {
    await receiver.stop()
  }
}

publish(isInstalled('wrk') ? await memory() : notMeasured(TITLE, NO_WRK))
