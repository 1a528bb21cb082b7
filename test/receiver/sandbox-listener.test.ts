import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runCli } from '../../src/cli.ts'
import { verifySignature } from '../../src/domain/signature.ts'
import { Interrupted } from '../../src/errors.ts'
import { machine } from '../kit/harness.ts'
import { here } from '../kit/here.ts'
import { type Program, program, until } from '../kit/program.ts'
import { startHandler } from './handler.ts'

/** A listener for the sandbox of this machine needs no secret, no registration and no https, whether the sandbox is served or not. */

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const HMAC = { algorithm: 'sha256', encoding: 'hex' } as const
const SECRET = /Signing secret: (whsec_sandbox_[\w-]{43}) \(set BNPL_WEBHOOK_SECRET to this secret in your handler\)/
const TOKEN =
  /Webhook token: (whsec_sandbox_[\w-]{43}) \(the listener verifies deliveries with it, and does not forward it\)/

type Host = Pick<ReturnType<typeof here>, 'dir' | 'run' | 'start'>

/** Starts a listener, which forwards to a handler. `secret` is the one that the listener printed. */
async function listening(p: Host, profile = 'sandbox', shown = SECRET) {
  const handler = await startHandler()
  closers.push(handler.stop)
  const readyFile = join(p.dir, 'listener.json')
  const listener = p.start(
    `webhooks listen -p ${profile} --port 0 --forward-to ${handler.url} --ready-file ${readyFile} --no-print`,
  )
  // stderr comes through a pipe, and may arrive later than the ready file.
  await until(() => existsSync(readyFile) && shown.test(listener.stderr()), listener)
  const secret = shown.exec(listener.stderr())?.[1]
  expect([listener.stderr(), secret]).toEqual([expect.anything(), expect.any(String)])
  return { listener, handler, secret: String(secret), url: JSON.parse(readFileSync(readyFile, 'utf8')).url }
}

const destinations = async (p: Pick<Program | Host, 'run'>, profile = 'sandbox') =>
  JSON.parse((await p.run(`webhooks list -p ${profile} --json`)).stdout)

test.each(['embedded', 'started'])(
  'listen -p sandbox needs no other option on a sandbox that is %s, and its secret verifies forwarded events',
  async (how) => {
    await using p = here()
    if (how === 'started') await p.sandbox()
    const { listener, handler, secret, url } = await listening(p)
    expect(await destinations(p)).toMatchObject([{ url, verificationScheme: 'HMAC' }])

    await p.run('evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx order-1')
    expect(await p.run('sandbox pay order-1')).toMatchObject({ code: 0 })
    await until(() => handler.handled.length === 1, listener)
    const [got] = handler.handled
    const signature = String(got?.headers['service-signature'])
    expect(verifySignature(signature, Buffer.from(got?.body ?? ''), [secret], HMAC)).toBe(true)

    const shown = async () => JSON.parse((await p.run('webhooks events show 1 --json')).stdout)
    await expect.poll(shown).toMatchObject({ status: 200, answer: 'thanks', state: 'delivered' })
    listener.child.kill('SIGINT')
    expect(await listener.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining(`Removed the destination ${url}`),
    })
    expect(await destinations(p)).toEqual([])
    // The next listener has the same secret, so the handler's configuration stays right.
    const again = await listening(p)
    expect(again.secret).toBe(secret)
  },
)

test('a listener for the token account uses its scheme, and one for an account without events says why', async () => {
  await using p = here()
  const { listener, handler, secret } = await listening(p, 'sandbox:real-estate', TOKEN)
  expect(await destinations(p, 'sandbox:real-estate')).toMatchObject([{ verificationScheme: 'token' }])
  await p.run('sandbox lead')
  await until(() => handler.handled.length === 1, listener)
  // The handler gets no token, so it is not told to verify with it.
  expect(JSON.stringify(handler.handled)).not.toContain(secret)
  expect(listener.stderr()).not.toContain('BNPL_WEBHOOK_SECRET')
  expect(listener.stderr()).toContain(
    'A handler cannot verify these events, because they have no signature. To ask the service about them: bnpl webhooks events confirm -p sandbox:real-estate\n',
  )
  expect(await p.run('webhooks events confirm -p sandbox:real-estate')).toMatchObject({ code: 0 })
  using m = machine()
  const none = await m.run('webhooks listen -p sandbox:no-module --port 0')
  expect(none).toMatchObject({ code: 5 })
  expect(none.stderr).toContain('this account has no evaluation module, so it receives no events')
})

test('a destination of a killed listener is removed by the next listener of its account, after one of another account', async () => {
  await using p = program()
  const ready = async (line: string) => {
    const readyFile = join(p.dir, 'ready.json')
    rmSync(readyFile, { force: true })
    const listener = p.start(`webhooks listen ${line} --port 0 --no-print --ready-file ${readyFile}`)
    await until(() => existsSync(readyFile), listener)
    return listener
  }
  const PUBLIC = '-p sandbox --public-url https://shop.example/hook'
  const killed = await ready(PUBLIC)
  killed.child.kill('SIGKILL')
  await killed.ended
  for (const line of ['-p sandbox:real-estate', PUBLIC]) {
    const listener = await ready(line)
    listener.child.kill('SIGINT')
    expect(await listener.ended).toMatchObject({ code: 130 })
  }
  expect(await destinations(p)).toEqual([])
})

test('sandbox reset says that a listener must start again, and the listener does not claim to have removed its destination', async () => {
  using m = machine()
  const over = new AbortController()
  const ended = m.run('webhooks listen -p sandbox --port 0 --ready-file ready.json', { signal: over.signal })
  const readyFile = join(m.dir, 'ready.json')
  await expect.poll(() => existsSync(readyFile)).toBe(true)
  const { url } = JSON.parse(readFileSync(readyFile, 'utf8'))
  expect((await m.run('sandbox reset --yes')).stderr).toContain('If a listener runs, start it again')
  over.abort(new Interrupted())
  const { code, stderr } = await ended
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining(`The destination ${url} no longer exists.`),
  })
  expect(stderr).not.toContain('Removed the destination')
  // Now the sandbox has no destination that a listener could miss.
  expect((await m.run('sandbox reset --yes')).stderr).not.toContain('listener')
})

/** Returns the text that stays on a terminal: lines that are drawn again replace the earlier ones. */
function staying(written: string): string {
  const [first = '', ...drawn] = written.split(/\r\u001b\[(\d+)A\u001b\[J/)
  let lines = first.split('\n')
  for (let i = 0; i < drawn.length; i += 2) {
    lines = lines.slice(0, lines.length - 1 - Number(drawn[i]))
    lines.push(...String(drawn[i + 1]).split('\n'))
  }
  return lines.join('\n')
}

test('on a redrawn terminal the lines about the destination remain visible, at the start and at the end', async () => {
  using m = machine()
  const stop = new AbortController()
  const made = m.world({ stdoutIsTty: true, signal: stop.signal }).world
  let written = ''
  const io = {
    ...made.io,
    out: async (data: string | Uint8Array) => {
      written += String(data)
    },
    err: (text: string) => {
      written += text
    },
  }
  const world: typeof made = Object.create(made, { io: { value: io, writable: true } })
  const take: ((name: 'SIGINT') => void)[] = []
  world.takeSignals = (each) => {
    take.push(each)
    return () => {}
  }
  const ended = runCli('webhooks listen -p sandbox --port 0'.split(' '), world)
  await expect.poll(() => staying(written)).toContain('● http://127.0.0.1')
  take[0]?.('SIGINT')
  expect(await ended).toBe(130)
  expect(staying(written)).toContain('Signing secret: whsec_sandbox_')
  expect(staying(written)).toContain('Removed the destination http://127.0.0.1')
})

test.each([
  ['json', /^\{"time":"\d{4}-.*Z","level":"[a-z]+","message":".*"\}$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S/],
])('with --log %s every message on stderr is one line of a log', async (form, line) => {
  using m = machine()
  const stop = new AbortController()
  const words = `webhooks listen -p sandbox --port 0 --ready-file ready.json --log ${form}`
  const ended = m.run(words, { signal: stop.signal })
  await expect.poll(() => existsSync(join(m.dir, 'ready.json'))).toBe(true)
  stop.abort(new Interrupted())
  const lines = (await ended).stderr.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.filter((each) => !line.test(each))).toEqual([])
})

test('trigger and test sign with the same secret, and show it', async () => {
  using m = machine()
  const handler = await startHandler()
  closers.push(handler.stop)
  const sent = await m.run(`webhooks trigger loan_approved --to ${handler.url} -p sandbox`)
  expect(sent.code).toBe(0)
  const secret = String(SECRET.exec(sent.stderr)?.[1])
  const [got] = handler.handled
  expect(verifySignature(String(got?.headers['service-signature']), Buffer.from(got?.body ?? ''), [secret], HMAC)).toBe(
    true,
  )
  const tested = await m.run(`webhooks test ${handler.url} -p sandbox`)
  expect(SECRET.exec(tested.stderr)?.[1]).toBe(secret)
})

test('trigger and test of a token account send its token, and call it a token', async () => {
  using m = machine()
  const handler = await startHandler()
  closers.push(handler.stop)
  const shown = /Webhook token: (\S+) \(set BNPL_WEBHOOK_SECRET to this token in your handler\)/
  const sent = await m.run(`webhooks trigger new_lead --to ${handler.url} -p sandbox:real-estate`)
  expect(sent.code).toBe(0)
  const token = shown.exec(sent.stderr)?.[1]
  expect(handler.handled[0]?.headers['service-webhook-secret']).toBe(token)
  const tested = await m.run(`webhooks test ${handler.url} --scheme token -p sandbox:real-estate`)
  expect(shown.exec(tested.stderr)?.[1]).toBe(token)
})

test('webhooks trigger with a given secret uses no secret of the sandbox', async () => {
  using m = machine()
  const missing = await m.run('webhooks trigger loan_approved --to http://127.0.0.1:1/hook')
  expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('add -p sandbox') })
  const own = await m.run('webhooks trigger loan_approved --to http://127.0.0.1:1/hook -p sandbox --secret-stdin', {
    stdin: 'my-own-secret-1234567890',
  })
  expect(own.code).toBe(9)
  expect(own.stderr).not.toContain('whsec_sandbox_')
})
