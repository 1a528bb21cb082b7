import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publish, quick, words } from './finding.ts'
import { type Case, measure } from './measure.ts'
import { firstLine, startProcess } from './processes.ts'

/** How the time and the memory of a run grow with the rows of its file, after a build: `node bench/growth-rows.ts [rounds]`. */

const rounds = Number(words[0] ?? (quick ? 1 : 5))
const SIZES = quick ? [10, 100, 1000] : [10, 100, 1000, 10_000]
/** How much more memory the longest file may need than the shortest. */
const MEMORY_GOAL_MIB = 40

const root = dirname(import.meta.dirname)
const home = mkdtempSync(join(tmpdir(), 'bnpl-growth-'))
const service = startProcess(process.execPath, [join(root, 'bench', 'bulk-service.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const port = await firstLine('the service', service)
  const cases = SIZES.map((rows): Case => {
    const file = join(home, `${rows}.csv`)
    writeFileSync(file, `externalTrxId\n${Array.from({ length: rows }, (_, i) => `order-${i}`).join('\n')}\n`)
    const line = ['verify', '--from', file, '--out', join(home, 'out.ndjson'), '--force', '-q']
    return {
      name: rows.toLocaleString('en'),
      command: [process.execPath, join(root, 'bin', 'bnpl.js'), ...line],
      env: {
        HOME: home,
        BNPL_STATE_DIR: join(home, 'state'),
        BNPL_BASE_URL: `http://127.0.0.1:${port}`,
        BNPL_API_KEY: 'key',
      },
    }
  })
  const bare: Case = { name: 'bare', command: [process.execPath, '-e', '0'] }
  const [, ...measured] = await measure(bare, cases, rounds)
  const start = measured[0]?.ms.median ?? 0
  const memory = (measured.at(-1)?.rssMib ?? 0) - (measured[0]?.rssMib ?? 0)
  publish({
    title: 'Growth: rows of a file',
    about: `\`bnpl verify --from\`, whole runs, ${rounds} rounds. “µs a row” is the time that a row adds to the shortest run. The goal is that the longest run needs at most ${MEMORY_GOAL_MIB} MiB more than the shortest.`,
    columns: ['rows', 'ms', 'ratio to bare Node', 'spread', 'µs a row', 'peak MiB'],
    rows: measured.map(({ name, ms, ratio, rssMib }, i) => [
      name,
      ms.median,
      ratio.median.toFixed(2),
      `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`,
      i === 0 ? '' : Math.round(((ms.median - start) * 1000) / ((SIZES[i] ?? 0) - (SIZES[0] ?? 0))),
      Math.round(rssMib),
    ]),
    missed: memory > MEMORY_GOAL_MIB ? [`memory grew by ${memory.toFixed(0)} MiB`] : [],
  })
} finally {
  service.kill()
  rmSync(home, { recursive: true, force: true })
}
