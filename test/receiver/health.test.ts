import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { LABELS, METRICS } from '../../src/receiver/health/metrics.ts'
import { startPostgres } from '../kit/postgres-server.ts'
import { startHandler } from './handler.ts'
import { cleanUp, deliver, type Listener, startHere, until } from './listener.ts'

// The tests of this file mostly wait, so they run at the same time. What they have started is ended after the last test.
afterAll(cleanUp)

interface Family {
  name: string
  help: string
  type: string
  metrics: { value?: string; labels?: Record<string, string>; count?: string; buckets?: Record<string, string> }[]
}

const parse: (text: string) => Family[] = createRequire(import.meta.url)('parse-prometheus-text-format')

/** Returns the address of a listener's metrics and health checks. */
const watching = (listener: Listener): string =>
  new URL(JSON.parse(readFileSync(join(listener.dir, 'ready.json'), 'utf8')).metricsUrl).origin

const watched = (args: readonly string[] = [], more = {}) =>
  startHere({ ...more, args: ['--metrics-port', '0', ...args] })

function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function metricsOf(listener: Listener) {
  const { text } = await ask(`${watching(listener)}/metrics`)
  const families = parse(text)
  /** Returns the value of a metric, from the series with these labels. */
  const value = (name: string, labels: Record<string, string> = {}): number => {
    const series = families
      .find((family) => family.name === name)
      ?.metrics.find((each) => Object.entries(labels).every(([label, of]) => each.labels?.[label] === of))
    return Number(series?.value ?? series?.count)
  }
  return { text, families, value }
}

test.concurrent('every outcome of a delivery is counted, without data of the delivery', async () => {
  const handler = await startHandler()
  const listener = await watched(['--forward-to', handler.url])
  const envelope = { eventId: 'canary-event', data: { loanAmount: 1000, rut: '11222333-9' } }
  expect((await deliver(listener, envelope)).status).toBe(200)
  expect((await deliver(listener, envelope)).status).toBe(200)
  expect((await deliver(listener, { eventId: 'canary-event', data: { loanAmount: 2 } })).status).toBe(200)
  expect((await deliver(listener, { body: '[]' })).status).toBe(200)
  expect((await deliver(listener, { signature: null })).status).toBe(401)
  expect((await deliver(listener, { signature: 'canary' })).status).toBe(401)
  expect((await deliver(listener, { path: '/canary' })).status).toBe(404)
  expect((await deliver(listener, { headers: { host: 'canary.example' } })).status).toBe(421)
  const slow = connect(listener.port, '127.0.0.1', () => slow.write('POST /canary HTTP/1.1\r\nHo'))
  slow.resume()
  await new Promise((resolve) => slow.on('close', resolve))
  await until(async () => {
    const { value: now } = await metricsOf(listener)
    const isDelivered = now('bnpl_receiver_forwards_total', { result: 'delivered' }) > 0
    return isDelivered && now('bnpl_receiver_waiting_events') === 0
  })

  const { value, text } = await metricsOf(listener)
  expect(value('bnpl_receiver_received_total')).toBe(9)
  expect(value('bnpl_receiver_verified_total')).toBe(4)
  const recorded = (fate: string, event: string) => value('bnpl_receiver_recorded_total', { fate, event })
  expect(recorded('new', 'loan_approved')).toBe(1)
  expect(recorded('duplicate', 'loan_approved')).toBe(1)
  expect(recorded('variant', 'loan_approved')).toBe(1)
  expect(recorded('quarantined', 'unknown')).toBe(1)
  for (const reason of ['signature-missing', 'signature-wrong', 'path', 'host', 'slow'])
    expect([reason, value('bnpl_receiver_refused_total', { reason })]).toEqual([reason, 1])
  expect(value('bnpl_receiver_acknowledgement_seconds')).toBe(4)
  expect(value('bnpl_receiver_waiting_events')).toBe(0)
  expect(value('bnpl_receiver_ready')).toBe(1)
  expect(text).not.toMatch(/canary|11222333/)
  await handler.stop()
})

test.concurrent('an independent parser reads the metrics with the names, types and help texts of the table METRICS', async () => {
  const listener = await watched()
  const { families, value } = await metricsOf(listener)
  const ours = families.filter(({ name }) => name.startsWith('bnpl_'))
  expect(Object.fromEntries(ours.map(({ name, help }) => [name, help]))).toEqual(METRICS)
  for (const { name, type } of ours) {
    expect([name, type === 'COUNTER']).toEqual([name, name.endsWith('_total')])
    expect([name, type === 'HISTOGRAM']).toEqual([name, /_(acknowledgement|forward)_seconds$/.test(name)])
  }
  const reasons = ours.find(({ name }) => name === 'bnpl_receiver_refused_total')?.metrics
  expect(reasons?.map(({ labels }) => labels?.reason)).toEqual(LABELS.reason)
  const misnamed = families.filter(({ name, type }) => name.endsWith('_total') && type !== 'COUNTER')
  expect(misnamed).toEqual([])
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
})

test.concurrent('events that wait for a handler are counted, with the age of the oldest', async () => {
  const listener = await watched(['--forward-to', 'http://127.0.0.1:9/nobody'])
  await deliver(listener, { eventId: 'e1' })
  await deliver(listener, { eventId: 'e2' })
  await until(async () => {
    const { value } = await metricsOf(listener)
    return (
      value('bnpl_receiver_waiting_events') === 2 &&
      value('bnpl_receiver_oldest_waiting_seconds') > 0 &&
      value('bnpl_receiver_forwards_total', { result: 'no-answer' }) > 0
    )
  })
})

test.concurrent('the receiver detects by itself that the inbox cannot be written, and later can, and reports its readiness', async () => {
  const listener = await watched()
  const ready = () => ask(`${watching(listener)}/readyz`)
  expect(await ready()).toEqual({ status: 200, text: 'ready\n' })
  using other = new DatabaseSync(join(listener.dir, 'state/inbox.db'))
  other.exec('ALTER TABLE facts RENAME TO lost')
  await until(async () => (await ready()).status === 503)
  expect((await ready()).text).toBe('the inbox cannot be written\n')
  expect((await metricsOf(listener)).value('bnpl_receiver_ready')).toBe(0)
  expect(await ask(`${watching(listener)}/healthz`)).toEqual({ status: 200, text: 'ok\n' })
  other.exec('ALTER TABLE lost RENAME TO facts')
  await until(async () => (await ready()).status === 200)
  expect((await deliver(listener)).status).toBe(200)
})

test.concurrent('after a signal, /readyz of the receiver answers 503 until the end', async () => {
  let release = (_: number) => {}
  const handler = await startHandler(() => new Promise((resolve) => (release = resolve)))
  const listener = await watched(['--forward-to', handler.url])
  const at = watching(listener)
  await deliver(listener)
  await until(() => handler.handled.length === 1)
  const ended = listener.end('SIGTERM')
  await until(async () => (await ask(`${at}/readyz`)).status === 503)
  expect((await ask(`${at}/readyz`)).text).toBe('ending\n')
  release(200)
  expect(await ended).toBe(143)
  await handler.stop()
})

test.concurrent('the metrics port listens only on this machine, accepts only known host names, and allows only reading', async () => {
  const listener = await watched(['--public-host', 'shop.example'])
  const at = watching(listener)
  const status = async (path: string, host?: string, method?: string) =>
    (await ask(`${at}${path}`, host === undefined ? {} : { host }, method)).status
  expect(new URL(at).hostname).toBe('127.0.0.1')
  for (const path of ['/metrics', '/readyz']) {
    expect(await status(path)).toBe(200)
    expect(await status(path, 'shop.example')).toBe(200)
    expect(await status(path, 'evil.example')).toBe(421)
    expect(await status(path, '10.0.0.7')).toBe(421)
    expect(await status(path, undefined, 'POST')).toBe(405)
  }
  expect(await status('/healthz', '10.0.0.7:8081')).toBe(200)
  expect(await status('/webhooks')).toBe(404)
  // The port for deliveries does not offer the metrics.
  expect((await deliver(listener, { method: 'GET', path: '/metrics' })).status).toBe(404)
})

test.concurrent('a client with many silent connections cannot keep a probe out', async () => {
  const listener = await watched()
  const at = watching(listener)
  const hold = () => connect(Number(new URL(at).port), '127.0.0.1').on('error', () => {})
  const silent = Array.from({ length: 64 }, hold)
  await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  expect(await ask(`${at}/readyz`)).toMatchObject({ status: 200 })
  for (const socket of silent) socket.destroy()
})

test.concurrent('with --metrics-host a probe may use the address of the machine as Host', async () => {
  const listener = await watched(['--metrics-host', '0.0.0.0'])
  const at = watching(listener)
  const port = new URL(at).port
  expect((await ask(`${at}/readyz`, { host: `10.0.0.7:${port}` })).status).toBe(200)
  expect((await ask(`${at}/readyz`, { host: `evil.example:${port}` })).status).toBe(421)
})

test.concurrent('on the metrics port two Host headers are 400 on every path, and a body is never requested [attack 23, attack 24]', async () => {
  const listener = await watched()
  const { port } = new URL(watching(listener))
  const said = (head: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(head))
      socket.on('data', (chunk) => resolve(String(chunk).split('\r\n')[0] ?? ''))
    })
  const host = `Host: 127.0.0.1:${port}\r\n`
  for (const path of ['/metrics', '/readyz', '/healthz'])
    expect(await said(`GET ${path} HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`)).toBe('HTTP/1.1 400 Bad Request')
  const asking = 'Content-Length: 2\r\nExpect: 100-continue\r\n\r\n'
  expect(await said(`GET /metrics HTTP/1.1\r\nHost: evil.example\r\n${asking}`)).toBe(
    'HTTP/1.1 421 Misdirected Request',
  )
  expect(await said(`GET /metrics HTTP/1.1\r\n${host}${asking}`)).toBe('HTTP/1.1 200 OK')
})

test.concurrent('a metrics port that is taken causes exit 3, and --metrics-host without a port causes exit 2', async () => {
  const first = await watched()
  const port = new URL(watching(first)).port
  const second = await startHere({ args: ['--metrics-port', port], unready: true })
  expect(await second.ended).toBe(3)
  await until(() => second.stderr().includes(`port ${port} on 127.0.0.1 is taken`))
  await until(() => second.stderr().includes('--metrics-port N'))
  const third = await startHere({ args: ['--metrics-host', '0.0.0.0'], unready: true })
  expect(await third.ended).toBe(2)
})

test.concurrent('during a database outage the receiver is not ready and answers deliveries with 503, and it recovers by itself', async () => {
  const server = await startPostgres()
  try {
    const listener = await watched(['--database', server.url(await server.createDatabase())])
    const ready = async () => (await ask(`${watching(listener)}/readyz`)).status
    expect(await ready()).toBe(200)
    await server.stop('fast')
    await until(async () => (await ready()) === 503)
    expect((await deliver(listener, { eventId: 'e1' })).status).toBe(503)
    expect((await metricsOf(listener)).value('bnpl_receiver_unacknowledged_total')).toBe(1)
    expect((await metricsOf(listener)).value('bnpl_receiver_waiting_events')).toBeNaN()
    await server.start()
    await until(async () => (await ready()) === 200)
    expect((await deliver(listener, { eventId: 'e1' })).status).toBe(200)
    expect(await listener.end('SIGTERM')).toBe(143)
  } finally {
    await server.end()
  }
})
