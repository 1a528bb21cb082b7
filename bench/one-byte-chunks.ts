import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sign } from '../src/domain/signature.ts'
import { publish, quick } from './finding.ts'
import { endProcess, exitOf, firstLine, startProcess } from './processes.ts'
import { SECRET, startReceiver } from './receiver/run.ts'

/**
 * Measures the memory of every reader of a body while the body comes in chunks of one byte: `node bench/one-byte-chunks.ts [--quick]
 * [--json]`, after a build. Needs Linux's /proc.
 */

const CONNECTIONS = 100
const SECONDS = quick ? 2 : 10
const BNPL = join(import.meta.dirname, '../bin/bnpl.js')
const ONE = Buffer.from('1\r\nx\r\n'.repeat(20_000))

const peak = (pid: number) =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The processor time of a process so far, in ms. */
function cpuMs(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10
}

/** Sends bodies in chunks of one byte on each connection, and connects again when one is cut. */
function flood(url: URL, head: string): { stop(): void; statuses: Map<string, number> } {
  const statuses = new Map<string, number>()
  let over = false
  const open = () => {
    const socket = connect(Number(url.port), '127.0.0.1')
    let answer = ''
    const pour = () => {
      while (!socket.destroyed && socket.write(ONE));
    }
    socket.on('connect', () => {
      socket.write(head)
      pour()
    })
    socket.on('drain', pour)
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      const status = answer.slice(9, 12)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (!over) setImmediate(open)
    })
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  }
  const sockets = new Set<ReturnType<typeof connect>>()
  for (let i = 0; i < CONNECTIONS; i++) open()
  return {
    statuses,
    stop() {
      over = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

const headOf = (url: URL, path = url.pathname) =>
  `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

/** Makes a request beside the flood. @returns how long it took in ms, or Infinity without a 2xx */
function ask(url: string, body: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now()
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      const isGood = (response.statusCode ?? 0) < 300
      response.resume().on('end', () => resolve(isGood ? performance.now() - began : Number.POSITIVE_INFINITY))
    })
    sent.on('error', () => resolve(Number.POSITIVE_INFINITY))
    sent.end(body)
  })
}

function deliver(url: string, n: number): Promise<number> {
  const body = JSON.stringify({ eventId: `event-${n}`, data: { loanAmount: n } })
  const signature = sign(Buffer.from(body), SECRET, { algorithm: 'sha256', encoding: 'hex' })
  return ask(url, body, { 'content-type': 'application/json', 'service-signature': signature })
}

async function underFlood(
  url: URL,
  pid: number,
  { path, genuine }: { path?: string; genuine?: (n: number) => Promise<number> } = {},
) {
  const { stop, statuses } = flood(url, headOf(url, path))
  const times: number[] = []
  const before = cpuMs(pid)
  const until = performance.now() + SECONDS * 1000
  for (let n = 0; performance.now() < until; n++) {
    if (genuine) times.push(await genuine(n))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  stop()
  const cut = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  return {
    mib: peak(pid),
    longest: genuine ? Math.max(...times) : Number.NaN,
    seen: [...statuses].join(' '),
    cpu: cut === 0 ? Number.NaN : (cpuMs(pid) - before) / cut,
  }
}

async function receiver() {
  const served = await startReceiver([BNPL])
  const url = new URL(served.url)
  try {
    return await underFlood(url, served.pid, { genuine: (n) => deliver(served.url, n) })
  } finally {
    await served.stop()
  }
}

async function sandbox() {
  const home = join(tmpdir(), `bnpl-one-byte-${process.pid}`)
  const env = { PATH: process.env.PATH, HOME: home, BNPL_STATE_DIR: join(home, 's'), BNPL_CONFIG_DIR: join(home, 'c') }
  const child = startProcess(process.execPath, [BNPL, 'sandbox', 'start', '--ephemeral', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { baseUrl } = JSON.parse(await firstLine('the sandbox', child))
  try {
    return await underFlood(new URL(baseUrl), child.pid ?? 0, { path: '/partner/pre-loan-request/bnpl' })
  } finally {
    await endProcess(child)
  }
}

/** How a server of Node handles a request: with the library, or with an answer and nothing else. */
const HANDLERS = {
  node: 'webhooks.node',
  fetch: `async (incoming, response) => {
      const request = new Request('http://a' + incoming.url, { method: incoming.method, headers: incoming.headers, body: Readable.toWeb(incoming), duplex: 'half' })
      const answer = await webhooks.fetch(request)
      response.writeHead(answer.status, { connection: 'close' }).end(await answer.text())
    }`,
  bare: `(incoming, response) => response.writeHead(incoming.headers['service-signature'] ? 200 : 401, { connection: 'close' }).end()`,
}

async function server(kind: keyof typeof HANDLERS) {
  const program = `
    import { createServer } from 'node:http'
    import { Readable } from 'node:stream'
    import library from ${JSON.stringify(join(import.meta.dirname, '../dist/library-webhooks.cjs'))}
    const webhooks = library.createWebhooks({ secret: '${SECRET}', onEvent() {}, onError() {} })
    const server = createServer(${HANDLERS[kind]})
    server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/'))`
  const child = startProcess(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await firstLine('the server', child)
  try {
    return await underFlood(new URL(url), child.pid ?? 0, { genuine: (n) => deliver(url, n) })
  } finally {
    await endProcess(child)
  }
}

/** Runs a command against a service whose answer comes in chunks of one byte. */
async function command(line: (base: string) => string[], bytes: number) {
  const server = createServer((asked, response) => {
    if (asked.url?.startsWith('/link')) return response.writeHead(302, { location: '/pdf' }).end()
    const isPdf = asked.url?.startsWith('/pdf')
    const [start, end] = isPdf ? ['%PDF-1.7 ', '%%EOF\n'] : ['{"data":"', '"}']
    const { socket } = response
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/${isPdf ? 'pdf' : 'json'}\r\nTransfer-Encoding: chunked\r\n\r\n`
    socket?.write(`${head}${[...start].map((each) => `1\r\n${each}\r\n`).join('')}`)
    let left = bytes
    const pour = () => {
      while (left > 0 && !socket?.destroyed) {
        left -= 20_000
        if (!socket?.write(ONE)) return
      }
      socket?.end(`${[...end].map((each) => `1\r\n${each}\r\n`).join('')}0\r\n\r\n`)
    }
    socket?.on('drain', pour)
    pour()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tell = `process.on('exit', () => require('fs').writeSync(2, /VmHWM.*/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[0]))`
  const home = join(tmpdir(), `bnpl-one-byte-${process.pid}`)
  const child = startProcess(process.execPath, [BNPL, ...line(base)], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      BNPL_STATE_DIR: join(home, 's'),
      BNPL_BASE_URL: base,
      BNPL_API_KEY: 'k',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/'); ${tell}`)}`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const code = await exitOf(child, 120_000)
  server.closeAllConnections()
  server.close()
  return {
    mib: Number(/VmHWM:\s+(\d+)/.exec(stderr)?.[1]) / 1024,
    longest: Number.NaN,
    seen: `exit ${code}`,
    cpu: Number.NaN,
  }
}

const MIB = 1024 * 1024
const BARE = 'a server of Node that only answers'
const CASES = [
  [BARE, 300, () => server('bare')],
  ['`webhooks listen`', 300, receiver],
  ['`sandbox start`, without a key', 300, sandbox],
  ['`bnpl/webhooks`, node:http', 300, () => server('node')],
  ['`bnpl/webhooks`, fetch', 300, () => server('fetch')],
  ['`verify`, 10 MB', 200, () => command(() => ['verify', 'T1', '--json'], 9.5 * MIB)],
  [
    '`informe download --out -`, 4 MB',
    200,
    () => command((base) => ['informe', 'download', '--from-link', `${base}/link`, '--out', '-'], 4 * MIB),
  ],
] as const

const rows: (string | number)[][] = []
const missed: string[] = []
let longestBare = Number.POSITIVE_INFINITY
for (const [name, limit, run] of CASES) {
  const { mib, longest, seen, cpu } = await run()
  rows.push([name, Math.round(mib), limit, longest, cpu, seen])
  if (mib > limit) missed.push(`${name}: ${Math.round(mib)} MiB`)
  // Node reads every chunk with a call, so a server of Node that only answers takes as long.
  if (name === BARE) longestBare = longest
  else if (longest > Math.max(1000, longestBare)) missed.push(`${name}: a delivery took ${Math.round(longest)} ms`)
}
publish({
  title: 'Bodies in chunks of one byte',
  about: `The peak memory in MiB while ${CONNECTIONS} connections send bodies in chunks of one byte for ${SECONDS} s, or while a command reads such an answer. Meanwhile a genuine delivery is sent every 50 ms.`,
  columns: ['reader', 'peak MiB', 'limit', 'longest delivery, ms', 'processor ms a cut connection', 'how it ended'],
  rows,
  missed,
})
