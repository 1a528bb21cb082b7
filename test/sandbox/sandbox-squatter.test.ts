import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isAnswering, processMark, readRunning } from '../../src/sandbox/server/running.ts'
import { type Machine, machine } from '../kit/harness.ts'
import { whileServed } from '../kit/served.ts'

const TOKEN = 'the-token-of-the-dead-one'

/** Starts another user's program on a port that was a sandbox's. The program answers with success, and notes every request. */
async function squatter() {
  const heard: string[] = []
  const server = createServer(async (asked, response) => {
    let body = ''
    for await (const chunk of asked) body += chunk
    heard.push(`${asked.url} ${asked.rawHeaders.join(' ')} ${body}`)
    response.end(JSON.stringify({ data: EVIL }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
const EVIL = { url: 'http://evil.example/phish?a=$(id)', proof: 'x'.repeat(43) }

/** Writes the record that a killed sandbox leaves. */
function leaveRecord({ stateDir }: Machine, baseUrl: string, process: { pid: number; processMark: string | null }) {
  mkdirSync(stateDir, { recursive: true })
  const addresses = { baseUrl, paymentUrl: `${baseUrl}/pay`, dashboardUrl: `${baseUrl}/` }
  const record = { ...process, ...addresses, controlToken: TOKEN, startedAt: '2026-03-01T12:00:00Z' }
  const file = join(stateDir, 'sandbox-running.json')
  writeFileSync(file, JSON.stringify({ ...record, dataFile: null }), { mode: 0o600 })
}

/** Returns a process that has ended, as the sandbox's record names it. */
async function deadProcess() {
  const child = spawn('sleep', ['60'])
  const [pid, mark] = [child.pid ?? 0, await processMark(child.pid ?? 0)]
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { pid, processMark: mark ?? null }
}

test.each([
  ['ended', deadProcess],
  ['cannot be looked at', async () => ({ pid: process.pid, processMark: null })],
] as const)(
  'if the recorded process %s, another program on the port of the sandbox is not accepted and gets no token [attack 8]',
  async (_, of) => {
    using m = machine()
    const { heard, baseUrl } = await squatter()
    leaveRecord(m, baseUrl, await of())
    const opened: string[] = []
    const open = await m.run('sandbox open --json', { open: async (url) => opened.push(url) > 0 })
    expect(open.code).toBe(3)
    expect(open.error()).toMatchObject({ code: 'SANDBOX_NOT_SERVED' })
    expect(opened).toEqual([])
    expect((await m.run('sandbox status --json')).json()).toMatchObject({ served: false })
    expect((await m.run('evaluate -p sandbox --rut 11222333-9 --amount 250000')).code).toBe(0)
    // The new sandbox does not report the dead process.
    await whileServed(m, async () => {
      expect((await m.run('sandbox status --json')).json()).toMatchObject({ served: true, pid: process.pid })
    })
    expect(heard.join('\n')).not.toContain(TOKEN)
    expect(heard.filter((each) => !each.startsWith('/_sandbox/hello'))).toEqual([])
  },
)

test('a later process with the pid of the sandbox is not taken for the sandbox [attack 8]', async () => {
  using m = machine()
  const { heard, baseUrl } = await squatter()
  const mark = await processMark(process.pid)
  if (mark === undefined) return expect(process.platform).not.toBe('linux')
  leaveRecord(m, baseUrl, { pid: process.pid, processMark: mark.replace(/\d+$/, '1') })
  expect((await m.run('sandbox status --json')).json()).toMatchObject({ served: false })
  expect(heard).toEqual([])
})

test('a proof that another server relays from the sandbox is not valid for the address of that server [attack 8]', async () => {
  using m = machine()
  await whileServed(m, async ({ port }) => {
    const own = await readRunning(m.stateDir)
    if (own === undefined) throw new Error('no record')
    expect(await isAnswering(own)).toBe(true)
    for (const host of ['the sandbox’s', 'its own']) {
      const passedOn: string[] = []
      const server = createServer((asked, response) => {
        const headers = { ...asked.headers, ...(host === 'its own' ? {} : { host: `127.0.0.1:${port}` }) }
        const on = request({ port, host: '127.0.0.1', path: asked.url, method: 'POST', headers }, (answered) => {
          passedOn.push(String(answered.statusCode))
          response.writeHead(answered.statusCode ?? 0)
          answered.pipe(response)
        })
        asked.pipe(on)
      })
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      expect([host, await isAnswering({ ...own, baseUrl })]).toEqual([host, false])
      expect(passedOn).toEqual([host === 'its own' ? '421' : '200'])
      server.closeAllConnections()
      server.close()
    }
  })
})

test('the hello endpoint needs a valid nonce and returns only a proof [attack 8]', async () => {
  using m = machine()
  await whileServed(m, async ({ port }) => {
    const hello = (body: unknown, method = 'POST') =>
      fetch(`http://127.0.0.1:${port}/_sandbox/hello`, {
        method,
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      })
    for (const body of [{}, { nonce: '' }, { nonce: 'short' }, { nonce: 7 }, { nonce: `${'a'.repeat(20)}\n` }]) {
      expect((await hello(body)).status).toBe(400)
    }
    expect((await hello({}, 'GET')).status).toBe(405)
    const proved = (await (await hello({ nonce: 'a'.repeat(32) })).json()) as { data: object }
    expect(proved).toEqual({ data: { proof: expect.stringMatching(/^[\w-]{43}$/) } })
  })
})
