import { request } from 'node:http'
import { connect } from 'node:net'
import { sign } from '../src/domain/signature.ts'
import { publish, quick } from './finding.ts'
import { SECRET, startReceiver } from './receiver/run.ts'

/**
 * Measures deliveries while 500 clients send a byte every 100 ms, half of them in the head and half in the body, and connect again when
 * they are cut: `node bench/slow-clients.ts [--quick] [--json]`, after a build. The exit code is 1 when a delivery took 3 s, or when a slow
 * client stayed connected for longer than that.
 */

const SLOW = 500
const PER_SECOND = 100
const SECONDS = quick ? 5 : 30
const LIMIT_MS = 3000

const receiver = await startReceiver([new URL('../bin/bnpl.js', import.meta.url).pathname])
const { port, pathname } = new URL(receiver.url)
const head = `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`
const held: number[] = []
let over = false

function drip(n: number): void {
  const began = performance.now()
  const socket = connect(Number(port), '127.0.0.1')
  let timer: NodeJS.Timeout
  socket.on('connect', () => {
    socket.write(n % 2 ? `${head}X-A: ` : `${head}Content-Length: 5000\r\n\r\n`)
    timer = setInterval(() => socket.write('a'), 100)
  })
  socket.on('error', () => {})
  socket.resume()
  socket.on('close', () => {
    clearInterval(timer)
    if (over) return
    held.push(performance.now() - began)
    drip(n)
  })
}

function deliver(n: number): Promise<{ ms: number; status: number }> {
  const body = JSON.stringify({ eventId: `event-${n}`, data: { loanAmount: n } })
  const signature = sign(Buffer.from(body), SECRET, { algorithm: 'sha256', encoding: 'hex' })
  const headers = { 'content-type': 'application/json', 'service-signature': signature }
  const began = performance.now()
  return new Promise((resolve) => {
    const ended = (status: number) => resolve({ ms: performance.now() - began, status })
    const sent = request(receiver.url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => ended(response.statusCode ?? 0))
    })
    sent.on('error', () => ended(0))
    sent.end(body)
  })
}

async function deliverAll(): Promise<{ ms: number; status: number }[]> {
  const deliveries: Promise<{ ms: number; status: number }>[] = []
  const began = performance.now()
  for (let n = 0; n < PER_SECOND * SECONDS; n++) {
    const wait = began + (n * 1000) / PER_SECOND - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    deliveries.push(deliver(n))
  }
  return await Promise.all(deliveries)
}

for (let n = 0; n < SLOW; n++) drip(n)
const done = await deliverAll().finally(async () => {
  over = true
  await receiver.stop()
})

const times = done.map(({ ms }) => ms).sort((a, b) => a - b)
const good = done.filter(({ status, ms }) => status === 200 && ms < LIMIT_MS).length
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
const longest = Math.max(...held)
const missed = good === done.length ? [] : [`${done.length - good} deliveries not within ${LIMIT_MS} ms`]
if (longest > LIMIT_MS) missed.push(`a slow client was held ${Math.round(longest)} ms`)
publish({
  title: 'Slow clients',
  about: `${PER_SECOND} deliveries a second for ${SECONDS} s, while ${SLOW} slow clients send one byte every 100 ms. When the receiver closes the connection of a slow client, this client connects again. Times are in ms.`,
  columns: [
    'deliveries',
    `within ${LIMIT_MS / 1000} s`,
    'median',
    'p99',
    'longest',
    'slow connections cut',
    'longest slow connection',
  ],
  rows: [[done.length, good, at(0.5), at(0.99), at(1), held.length, longest]],
  missed,
})
