import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hurl, newman } from './bulk-peers.ts'
import { type Finding, publish, quick, words } from './finding.ts'
import { type Case, found, measure, peakMemory, time } from './measure.ts'
import { firstLine, startProcess } from './processes.ts'

/**
 * Compares runs over files with what people use otherwise, on loopback: `node bench/bulk.ts [rounds]`, after a build.
 * Measures 5,000 verifications, 2,000 verifications with 50 ms of latency, the memory of ever longer runs, and a file of a million rows.
 * newman is installed for the run if npm can install it. hurl is measured if the system has it.
 */
const rounds = Number(words[0] ?? (quick ? 1 : 5))
const CONNECTIONS = 32
const LATENCY_MS = 50

const root = join(import.meta.dirname, '..')
const dir = mkdtempSync(join(tmpdir(), 'bnpl-bulk-'))
const node = process.execPath

async function service(latency: number) {
  const child = startProcess(node, [join(root, 'bench/bulk-service.ts'), String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { origin: `http://127.0.0.1:${await firstLine('the service', child)}`, stop: () => child.kill() }
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

const bare = (origin: string, file: string, connections = CONNECTIONS): Case => ({
  name: `undici alone, ${connections} connections`,
  command: [node, join(root, 'bench/bare-undici.ts'), origin, file, join(dir, 'bare.ndjson'), String(connections)],
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

async function throughput(): Promise<Finding[]> {
  const { origin, stop } = await service(0)
  const count = quick ? 500 : 5000
  const file = idsFile('many.csv', count)
  const many = ['--concurrency', String(CONNECTIONS)]
  const ours = (goal: number) => bnpl('bnpl verify --from', origin, file, many, goal)
  const alone = bare(origin, file)
  const beside = await measure(curlParallel(origin, count), [alone, ours(2.5)], rounds)
  const besideUndici = await measure(alone, [ours(1 / 0.7)], rounds)
  const one = `curl -s -X POST -H 'authorization: Bearer key' ${origin}/partner/pre-approve/{}/loan`
  const xargs: Case = {
    name: '`xargs -P8 curl`',
    command: ['sh', '-c', `tail -n +2 ${file} | xargs -P8 -I{} ${one} > ${join(dir, 'xargs.out')}`],
  }
  const peers = quick ? [] : [newman(dir, origin, count), hurl(dir, origin, count)]
  const missing = peers.flatMap((peer) =>
    'missing' in peer ? [` ${peer.name} was not measured: ${peer.missing}.`] : [],
  )
  // One round is enough, because each program takes half a minute.
  const own = await time(ours(0))
  const theirs: [name: string, ms: number, ratio: string][] = []
  for (const peer of [xargs, ...peers.filter((each) => 'command' in each)]) {
    const ms = await time(peer)
    theirs.push([peer.name, ms, (ms / own).toFixed(1)])
  }
  stop()
  const title = `${count.toLocaleString('en')} verifications`
  return [
    found(
      title,
      `A run over a file, from the start of the process to its end. Our command checks every row, and notes each sent row on the disk. Ratios are to \`curl -Z\`, ${rounds} rounds.`,
      beside,
    ),
    found(
      `${title}, beside undici`,
      'The same run. Here the ratios compare with “undici alone”, a small program that sends the same calls without checks, retries and a ledger.',
      besideUndici,
    ),
    {
      title: `${title}, beside other tools`,
      about: `The same run, once with each program, one right after the other.${missing.join('')}`,
      columns: ['run', 'ms', 'ratio'],
      rows: [['`bnpl verify --from`', own, '1.00'], ...theirs],
      missed: [],
    },
  ]
}

async function latency(): Promise<Finding> {
  const { origin, stop } = await service(LATENCY_MS)
  const count = quick ? 200 : 2000
  const file = idsFile('late.csv', count)
  const many = ['--concurrency', String(CONNECTIONS)]
  await time(bnpl('warm', origin, idsFile('1.csv', 1), many))
  const start = (await time(bnpl('one row', origin, idsFile('1.csv', 1), many))) - LATENCY_MS
  const took = await time(bnpl('all', origin, file, many))
  const alone = await time(bare(origin, file))
  // How long one call takes on one connection: the latency, the delay of a timer, and the service's own work.
  const calls = 40
  const one = await time(bare(origin, idsFile('1.csv', 1), 1))
  const call = ((await time(bare(origin, idsFile('calls.csv', calls + 1), 1))) - one) / calls
  stop()
  const ideal = Math.ceil(count / CONNECTIONS) * call
  const share = ideal / (took - start)
  return {
    title: `${count.toLocaleString('en')} verifications, ${LATENCY_MS} ms of latency`,
    about: `${CONNECTIONS} connections. A call on a single connection takes ${call.toFixed(1)} ms. The first row is the time that the calls alone would take. In the other rows, the ms include the start and the end of the process, but the percentage does not.`,
    columns: ['run', 'ms', 'share of the possible speed', 'goal'],
    rows: [
      ['what the connections allow', ideal, '100 %', ''],
      ['`bnpl verify --from`', took, `${(share * 100).toFixed(0)} %`, '≥ 95 %'],
      ['undici alone', alone, '', ''],
    ],
    missed: share < 0.95 ? [`${(share * 100).toFixed(0)} % of what the connections allow (goal: at least 95 %)`] : [],
  }
}

async function memory(): Promise<Finding> {
  const { origin, stop } = await service(0)
  const rows: [string, number][] = []
  for (const count of quick ? [1000] : [10_000, 50_000, 200_000]) {
    const run = bnpl('bnpl', origin, idsFile(`${count}.csv`, count), ['--concurrency', String(CONNECTIONS)])
    rows.push([count.toLocaleString('en'), Math.round(await peakMemory(run))])
  }
  stop()
  const most = Math.max(...rows.map(([, mib]) => mib))
  return {
    title: 'Memory of runs with calls',
    about:
      '`bnpl verify --from` over files with more and more rows, without latency. The goal is less than 200 MiB for any number of rows.',
    columns: ['rows', 'peak MiB'],
    rows,
    missed: most < 200 ? [] : [`${most} MiB at the most (goal: below 200)`],
  }
}

async function million(): Promise<Finding> {
  const rows = quick ? 50_000 : 1_000_000
  const file = join(dir, 'million.csv')
  const stream = createWriteStream(file)
  stream.write('externalTrxId,customer,city,expectedAmount,c4,c5,c6,c7,c8,c9,note\n')
  for (let i = 0; i < rows; i++) {
    const note = i % 50 === 0 ? '"said ""yes"", twice"' : 'plain'
    const line = `order-2026-${String(i).padStart(8, '0')},Customer Number ${i},Santiago,${1000 + (i % 900_000)},aaaaaa,bbbbbbb,ccccccc,2026-01-01,100000,xxxxxx,${note}\n`
    if (!stream.write(line)) await once(stream, 'drain')
  }
  // The last row is invalid, so the run ends after its check of the file.
  stream.end('order-last,too,short\n')
  await once(stream, 'close')
  const alone: Case = { name: 'papaparse alone', command: [node, join(root, 'bench/papaparse-alone.ts'), file] }
  const check = { ...bnpl('bnpl, the check', 'http://127.0.0.1:9', file, [], 1.5), exit: 2 }
  return found(
    `A file of ${rows.toLocaleString('en')} rows`,
    'The file has 11 columns. In 2 % of its rows a cell is quoted. Our command checks every row and finds duplicates. Ratios are to papaparse, which only reads the file.',
    await measure(alone, [check], rounds),
  )
}

try {
  publish(...(await throughput()), await latency(), await memory(), await million())
} finally {
  rmSync(dir, { recursive: true, force: true })
}
