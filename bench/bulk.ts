import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Case, measure, time, toTable } from './measure.ts'

/**
 * Runs over files beside what people use otherwise, on loopback: `node bench/bulk.ts [rounds]`, after a build.
 * Tables as Markdown on stdout: 5,000 verifications, 2,000 of them with 50 ms of latency, and a file of a million rows.
 */
const rounds = Number(process.argv[2] ?? 5)
const CONNECTIONS = 32
const LATENCY_MS = 50

const root = join(import.meta.dirname, '..')
const dir = mkdtempSync(join(tmpdir(), 'bnpl-bulk-'))
const node = process.execPath

async function service(latency: number) {
  const child = spawn(node, [join(root, 'bench/bulk-service.ts'), String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [chunk] = await once(child.stdout, 'data')
  return { origin: `http://127.0.0.1:${String(chunk).trim()}`, stop: () => child.kill() }
}

const idsFile = (name: string, count: number) => {
  const path = join(dir, name)
  writeFileSync(path, `externalTrxId\n${Array.from({ length: count }, (_, i) => `order-${i}`).join('\n')}\n`)
  return path
}

function bnpl(name: string, origin: string, file: string, more: string[], goal?: number): Case {
  const out = join(dir, 'bnpl.ndjson')
  return {
    name,
    command: [node, join(root, 'bin/bnpl.js'), 'verify', '--from', file, '--out', out, '--force', '-q', ...more],
    env: { BNPL_BASE_URL: origin, BNPL_API_KEY: 'key', BNPL_STATE_DIR: join(dir, 'state'), HOME: dir },
    ...(goal === undefined ? {} : { goal }),
  }
}

const bare = (origin: string, file: string): Case => ({
  name: `undici alone, ${CONNECTIONS} connections`,
  command: [node, join(root, 'bench/bare-undici.ts'), origin, file, join(dir, 'bare.ndjson'), String(CONNECTIONS)],
})

function curlParallel(origin: string, count: number): Case {
  const config = join(dir, 'curl.txt')
  const call = (i: number) =>
    `url = "${origin}/partner/pre-approve/order-${i}/loan"\nrequest = POST\nheader = "authorization: Bearer key"\ndata = ""\noutput = "/dev/null"`
  writeFileSync(config, Array.from({ length: count }, (_, i) => call(i)).join('\nnext\n'))
  return {
    name: `curl -Z, ${CONNECTIONS} at a time`,
    command: ['curl', '-s', '-Z', '--parallel-max', String(CONNECTIONS), '-K', config],
  }
}

async function throughput(): Promise<void> {
  const { origin, stop } = await service(0)
  const count = 5000
  const file = idsFile('5000.csv', count)
  const many = ['--concurrency', String(CONNECTIONS)]
  console.log(`## ${count} verifications\n`)
  console.log(
    toTable(
      await measure(
        curlParallel(origin, count),
        [bare(origin, file), bnpl('bnpl verify --from', origin, file, many, 2.5)],
        rounds,
      ),
    ),
  )
  console.log(
    toTable(await measure(bare(origin, file), [bnpl('bnpl verify --from', origin, file, many, 1 / 0.7)], rounds)),
  )
  const one = `curl -s -X POST -H 'authorization: Bearer key' ${origin}/partner/pre-approve/{}/loan`
  const xargs = await time({
    name: 'xargs',
    command: ['sh', '-c', `tail -n +2 ${file} | xargs -P8 -I{} ${one} > ${join(dir, 'xargs.out')}`],
  })
  const ours = await time(bnpl('bnpl', origin, file, many))
  console.log(
    `\`xargs -P8 curl\`: ${(xargs / 1000).toFixed(1)} s, ${(xargs / ours).toFixed(0)} times as long as bnpl (${(ours / 1000).toFixed(2)} s)\n`,
  )
  stop()
}

async function latency(): Promise<void> {
  const { origin, stop } = await service(LATENCY_MS)
  const count = 2000
  const file = idsFile('2000.csv', count)
  const many = ['--concurrency', String(CONNECTIONS)]
  await time(bnpl('warm', origin, idsFile('1.csv', 1), many))
  const start = await time(bnpl('one row', origin, idsFile('1.csv', 1), many))
  const took = await time(bnpl('all', origin, file, many))
  const alone = await time(bare(origin, file))
  const ideal = (count / CONNECTIONS) * LATENCY_MS
  const share = ideal / (took - (start - LATENCY_MS))
  console.log(`## ${count} verifications, ${LATENCY_MS} ms of latency\n`)
  console.log(
    `${(took / 1000).toFixed(2)} s with ${CONNECTIONS} connections (${((start - LATENCY_MS) / 1000).toFixed(2)} s of it to start and end): ${(share * 100).toFixed(0)} % of what they allow (goal ≥ 95 %); undici alone: ${(alone / 1000).toFixed(2)} s\n`,
  )
  stop()
}

async function million(): Promise<void> {
  const rows = 1_000_000
  const file = join(dir, 'million.csv')
  const stream = createWriteStream(file)
  stream.write('externalTrxId,customer,city,expectedAmount,c4,c5,c6,c7,c8,c9,note\n')
  for (let i = 0; i < rows; i++) {
    const note = i % 50 === 0 ? '"said ""yes"", twice"' : 'plain'
    const line = `order-2026-${String(i).padStart(8, '0')},Customer Number ${i},Santiago,${1000 + (i % 900_000)},aaaaaa,bbbbbbb,ccccccc,2026-01-01,100000,xxxxxx,${note}\n`
    if (!stream.write(line)) await once(stream, 'drain')
  }
  // The last row cannot be sent, so that the run ends after the check.
  stream.end('order-last,too,short\n')
  await once(stream, 'close')
  console.log('## A file of a million rows, 11 columns, 2 % quoted: every row checked, duplicates found\n')
  const alone: Case = { name: 'papaparse alone', command: [node, join(root, 'bench/papaparse-alone.ts'), file] }
  const check = { ...bnpl('bnpl, the check', 'http://127.0.0.1:9', file, [], 1.5), exit: 2 }
  console.log(toTable(await measure(alone, [check], rounds)))
}

try {
  await throughput()
  await latency()
  await million()
} finally {
  rmSync(dir, { recursive: true, force: true })
}
