import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Interrupted } from '../../src/errors.ts'
import { machine } from '../kit/harness.ts'
import { here } from '../kit/here.ts'
import { lastingPort } from '../kit/lasting-port.ts'
import { program, until } from '../kit/program.ts'
import { raw, request, statusOf } from '../kit/raw-http.ts'

// Each test has a machine of its own, so the tests run at the same time.

const SIGNALS = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const

test.concurrent.each(SIGNALS)(
  'sandbox start serves until %s, exits with %i, frees the port and leaves only the state file [row 101]',
  async (signal, code) => {
    await using p = program()
    const port = await lastingPort()
    const { child, ended, ready, readyFile } = await p.sandbox(`--port ${port}`)
    expect(statusOf(await raw(port, request(port, 'GET /partner/webhook HTTP/1.1')))).toBe(401)
    const key = ready.partners[0].apiKey
    const listed = await raw(port, request(port, 'GET /partner/webhook HTTP/1.1', [`Authorization: Bearer ${key}`]))
    expect(statusOf(listed)).toBe(200)
    child.kill(signal)
    const end = await ended
    expect(end).toMatchObject({ code, signal: null })
    expect(end.stdout).toBe(`${JSON.stringify(ready)}\n`)
    expect(existsSync(readyFile)).toBe(false)
    expect(readdirSync(p.stateDir)).toEqual(['sandbox.db'])
    const again = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve, reject) => again.once('listening', resolve).once('error', reject))
    again.close()
  },
)

test.concurrent('the ready file contains the addresses and accounts, and only the owner can read the ready file', async () => {
  await using p = here()
  const { ready, readyFile } = await p.sandbox('--ephemeral')
  expect(Object.keys(ready)).toEqual(['baseUrl', 'paymentUrl', 'dashboardUrl', 'production', 'partners'])
  expect(ready.partners.map((partner: object) => Object.keys(partner).sort())).toEqual(
    Array(4).fill(['active', 'apiKey', 'entityId', 'evaluationModule', 'name', 'product', 'production', 'publicKey']),
  )
  expect(statSync(readyFile).mode & 0o777).toBe(0o600)
  expect(readdirSync(p.stateDir)).toEqual(['sandbox-running.json'])
})

test.concurrent('commands use the running sandbox, and open the state themselves after the sandbox was killed', async () => {
  await using p = program()
  const first = await p.sandbox()
  const evaluated = await p.run('evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx order-1 --json')
  expect(evaluated).toMatchObject({ code: 0 })
  expect(await p.run('sandbox status --json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(first.baseUrl),
  })
  first.child.kill('SIGKILL')
  await first.ended
  expect(existsSync(join(p.stateDir, 'sandbox-running.json'))).toBe(true)
  const paid = await p.run('sandbox pay order-1 --json')
  expect(paid).toMatchObject({ code: 0 })
  expect(JSON.parse(paid.stdout)).toMatchObject({ externalTrxId: 'order-1', outcome: 'paid' })
  const second = await p.sandbox()
  expect(await p.run('verify order-1 -p sandbox --json')).toMatchObject({ code: 0 })
  second.child.kill('SIGTERM')
  expect(await second.ended).toMatchObject({ code: 143 })
})

test.concurrent('a second sandbox on the same state folder ends with 3 and names the pid of the first', async () => {
  await using p = program()
  const first = await p.sandbox()
  const second = await p.run('sandbox start --port 0 --json')
  expect(second).toMatchObject({ code: 3, stdout: '' })
  expect(second.stderr).toContain(`pid ${first.child.pid}`)
  expect(second.stderr).toContain('BNPL_STATE_DIR')
  expect(statusOf(await raw(Number(new URL(first.baseUrl).port), 'GET / HTTP/1.0\r\n\r\n'))).toBe(400)
})

test.concurrent('sandbox start on a used port exits with 3, names the port and says how to choose another port', async () => {
  await using p = program()
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  try {
    const end = await p.run(`sandbox start --port ${port} --json`)
    expect(end).toMatchObject({ code: 3, stdout: '' })
    expect(JSON.parse(end.stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      kind: 'config',
      code: 'PORT_TAKEN',
      message: expect.stringContaining(String(port)),
      hint: expect.stringContaining('--port'),
    })
    expect(readdirSync(p.stateDir)).toEqual(['sandbox.db'])
  } finally {
    other.close()
  }
})

test.concurrent('SIGTERM during a slow answer ends the sandbox within seconds, and the answer is not sent [row 101]', async () => {
  await using p = program()
  const { child, ended, ready, baseUrl } = await p.sandbox('--ephemeral --verbose')
  const port = Number(new URL(baseUrl).port)
  const { apiKey, entityId } = ready.partners[0]
  const slow = raw(
    port,
    request(
      port,
      'POST /partner/pre-loan-request/bnpl HTTP/1.1',
      [`Authorization: Bearer ${apiKey}`, 'Content-Type: application/x-www-form-urlencoded'],
      `idNumber=99999999-9&amount=250000&entityId=${entityId}&externalTrxId=slow-1`,
    ),
  )
  const quick = request(port, 'GET /partner/webhook HTTP/1.1', [`Authorization: Bearer ${apiKey}`])
  expect(statusOf(await raw(port, quick))).toBe(200)
  const told = performance.now()
  child.kill('SIGTERM')
  const { code } = await ended
  expect(code).toBe(143)
  // The sandbox ends by its own clock. A busy machine may add to the time that the test measures.
  expect(performance.now() - told).toBeLessThan(5_000 + 20_000)
  expect(await slow).toBe('')
})

test.concurrent('control calls need the token [row 109]', async () => {
  await using p = here()
  const { baseUrl } = await p.sandbox('--ephemeral')
  const port = Number(new URL(baseUrl).port)
  const { controlToken } = JSON.parse(readFileSync(join(p.stateDir, 'sandbox-running.json'), 'utf8'))
  const control = (headers: string[]) => raw(port, request(port, 'POST /_sandbox/reset HTTP/1.1', headers, '{}'))
  expect(statusOf(await control([]))).toBe(401)
  expect(statusOf(await control([`x-sandbox-token: ${controlToken}x`]))).toBe(401)
  expect(statusOf(await control([`x-sandbox-token: ${controlToken}`, 'Origin: https://evil.example']))).toBe(403)
  expect(statusOf(await control([`x-sandbox-token: ${controlToken}`]))).toBe(200)
})

test.concurrent('calls are shown with --verbose, national ids masked', async () => {
  await using p = here()
  const started = await p.sandbox('--ephemeral --verbose')
  const port = Number(new URL(started.baseUrl).port)
  await raw(port, request(port, 'GET /partner/pre-approve/rut/11222333-9 HTTP/1.1'))
  await until(() => started.stderr().includes('/partner/'), started)
  await expect
    .poll(() => started.stderr())
    .toMatch(/\d\d:\d\d:\d\d {2}401 {2}GET \/partner\/pre-approve\/rut\/•••• {2}\d+ ms/)
  expect(started.stderr()).not.toContain('11222333')
})

test.concurrent('without --json, sandbox start prints instructions in at most 18 lines of 80 columns, the address last', async () => {
  using m = machine()
  const stop = new AbortController()
  const ran = m.run('sandbox start --port 0 --ephemeral --ready-file ready', { signal: stop.signal })
  await until(() => existsSync(join(m.dir, 'ready')), { ended: new Promise(() => {}) })
  const { partners, baseUrl } = JSON.parse(readFileSync(join(m.dir, 'ready'), 'utf8'))
  stop.abort(new Interrupted(143))
  const { code, stdout } = await ran
  expect(code).toBe(143)
  expect(stdout).toContain(`The sandbox answers at ${baseUrl}`)
  expect(stdout).toContain(`export BNPL_API_KEY=${partners[0].apiKey}`)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.at(-1)).toContain(baseUrl)
  expect(lines.length).toBeLessThanOrEqual(18)
  expect(stdout).toMatch(/^All accounts +bnpl sandbox status --keys \(add --json for the production keys\)$/m)
  expect(stdout).toMatch(/^Production +http:\S+$/m)
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  const status = await m.run('sandbox status --keys')
  const names = (await m.run('sandbox status --keys --json')).json().partners
  for (const { name, apiKey } of names) expect(status.stdout).toMatch(new RegExp(`${name}[^]*${apiKey}`))
  expect(names).toHaveLength(partners.length)
  expect((await m.run('sandbox status')).stdout).not.toContain('sk_sandbox_')
})

test.concurrent('a sandbox in memory starts beside the running sandbox, and other commands still use the running sandbox', async () => {
  using m = machine()
  const stop = new AbortController()
  const start = (line: string, ready: string) => {
    const ran = m.run(`sandbox start --port 0 ${line} --ready-file ${ready}`, { signal: stop.signal })
    return until(() => existsSync(join(m.dir, ready)), { ended: new Promise(() => {}) }).then(() => ({
      ran,
      baseUrl: JSON.parse(readFileSync(join(m.dir, ready), 'utf8')).baseUrl,
    }))
  }
  const first = await start('', 'first')
  const second = await start('--ephemeral', 'second')
  expect(second.baseUrl).not.toBe(first.baseUrl)
  expect((await m.run('sandbox status --json')).json().baseUrl).toBe(first.baseUrl)
  stop.abort(new Interrupted(143))
  const { stdout, stderr } = await second.ran
  expect(stderr).toContain(`Another sandbox already runs at ${first.baseUrl}`)
  // The command that it suggests is for this sandbox, not for the other one.
  expect(stdout).not.toMatch(/-p sandbox|sandbox status/)
  expect((await first.ran).stderr).not.toContain('Another sandbox')
})

test.concurrent('a state file given with --data is private, and the mode of its folder is not changed', async () => {
  using m = machine()
  const folder = join(m.dir, 'project')
  mkdirSync(folder)
  chmodSync(folder, 0o775)
  const stop = new AbortController()
  const ran = m.run('sandbox start --port 0 --data project/s.db --ready-file ready', { signal: stop.signal })
  await until(() => existsSync(join(m.dir, 'ready')), { ended: new Promise(() => {}) })
  stop.abort(new Interrupted(143))
  await ran
  expect(readdirSync(folder)).toEqual(['s.db'])
  expect(statSync(join(folder, 's.db')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o775)
})

test.concurrent.each([
  ['--port 65536', 2, 'INVALID_PORT'],
  ['--port x', 2, 'INVALID_PORT'],
  ['--data f --ephemeral', 2, 'USAGE'],
  ['--dry-run', 2, 'NO_DRY_RUN'],
  ['--port 0 --host 192.0.2.1', 3, 'BAD_HOST'],
  ['--port 0 --ready-file no/such/folder/ready', 3, 'READY_FILE'],
  ['--port 0 --data .', 3, 'NOT_A_FILE'],
])('sandbox start %s is refused before anything runs', async (options, code, word) => {
  using m = machine()
  const ran = await m.run(`sandbox start --json ${options}`)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.error()).toMatchObject({ code: word })
})

test.concurrent('a file of another kind after --data is refused, and is not called damaged', async () => {
  using m = machine()
  const file = join(m.dir, 'seed.json')
  writeFileSync(file, '{"a":1}')
  const ran = await m.run('sandbox start --port 0 --data seed.json')
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(`${file} is not the data of a sandbox`)
  expect(ran.stderr).not.toMatch(/damaged|mv /)
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}')
})

test.concurrent('the database of another program after --data is refused, and not one byte of it changes', async () => {
  using m = machine()
  const file = join(m.dir, 'other.db')
  for (const version of [0, 1, 11, 99]) {
    rmSync(file, { force: true })
    const db = new DatabaseSync(file)
    db.exec(`CREATE TABLE settings (a); CREATE TABLE customers (a); PRAGMA user_version = ${version}`)
    db.close()
    const before = readFileSync(file)
    const ran = await m.run('sandbox start --port 0 --data other.db')
    expect([version, ran.code, ran.stderr]).toEqual([
      version,
      2,
      expect.stringContaining(`${file} is not the data of a sandbox`),
    ])
    expect([version, readFileSync(file).equals(before), existsSync(`${file}-wal`)]).toEqual([version, true, false])
  }
})

test.concurrent('the ready file of an earlier run is removed before the sandbox is ready', async () => {
  using m = machine()
  writeFileSync(join(m.dir, 'ready'), JSON.stringify({ baseUrl: 'http://127.0.0.1:1', partners: [] }))
  expect(await m.run('sandbox start --port 0 --host 192.0.2.1 --ready-file ready')).toMatchObject({ code: 3 })
  expect(existsSync(join(m.dir, 'ready'))).toBe(false)
})

test.concurrent('a sandbox on a network address works with -p sandbox, and warns that other machines can reach the sandbox', async () => {
  await using p = here()
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  // Without a network the only other address is 0.0.0.0, which means all addresses.
  const started = await p.sandbox(`--ephemeral --host ${own?.address ?? '0.0.0.0'}`)
  await until(() => started.stderr().includes('Other machines can reach the sandbox'), started)
  const ran = await p.run('evaluate -p sandbox --rut 11222333-9 --amount 250000 --json')
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
})

test.concurrent('behind a proxy the links of the sandbox lead to the proxy, and the sandbox accepts the host name of the proxy', async () => {
  await using p = here()
  const { ready } = await p.sandbox('--ephemeral --public-url https://sandbox.example/')
  expect(ready).toMatchObject({ baseUrl: 'https://sandbox.example', paymentUrl: 'https://sandbox.example/pay' })
  const { baseUrl } = JSON.parse(readFileSync(join(p.stateDir, 'sandbox-running.json'), 'utf8'))
  const lead = JSON.parse((await p.run('sandbox lead --now --json')).stdout)
  const report = JSON.parse((await p.run(`informe get ${lead.preApproveId} -p sandbox:real-estate --json`)).stdout)
  expect(report.url).toMatch(/^https:\/\/sandbox\.example\/_storage\//)
  const port = Number(new URL(baseUrl).port)
  const ask = (host: string) => raw(port, `GET /partner/webhook HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  expect(statusOf(await ask('sandbox.example'))).toBe(401)
  expect(statusOf(await ask('other.example'))).toBe(421)
  for (const url of ['sandbox.example', 'https://sandbox.example/path', 'ftp://sandbox.example']) {
    expect(await p.run(['sandbox', 'start', '--public-url', url])).toMatchObject({ code: 2, stdout: '' })
  }
})
