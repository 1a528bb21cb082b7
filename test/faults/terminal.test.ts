import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { LAUNCHER } from '../kit/built-program.ts'
import { fakeClock, type Machine, machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'
import { cleanUp, deliver, SECRET, until } from '../receiver/listener.ts'

afterEach(cleanUp)

/** Texts that clear a screen, fill a clipboard, hide a link, reverse the direction of text, or begin a line of their own. */
const HOSTILE = [
  '\u001b[2J',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b]8;;https://evil.example\u0007x',
  '\u009b31m',
  '\u007f\u0008\u0008',
  '\u202eevil',
  '\r\nerror: forged',
]

/** Matches characters that a terminal would obey, and a line that pretends to be one of ours. */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|^error: forged/m

async function pretend(m: Machine, line: readonly string[], more = {}) {
  const ran = await m.run(line, { stdoutIsTty: true, clock: fakeClock(), ...more })
  expect([line, OBEYED.exec(ran.stdout + ran.stderr)?.[0]]).toEqual([line, undefined])
  expect(ran.code).not.toBe(1)
  return ran
}

test('typed text cannot control the terminal, neither in an error nor in a result [row 82]', async () => {
  using m = machine()
  const env = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E' }
  const transport = async () => ({ status: 404, headers: {}, body: Buffer.from('{}') })
  for (const text of HOSTILE) {
    for (const line of [
      [`${text}x`],
      ['evaluate', `--${text}`, '1'],
      ['evaluate', `--rut=${text}`, `--amount=${text}`],
      ['evaluate', '--from', `${text}.csv`],
      ['verify', text],
      ['verify', 'T1', `--expect-state=${text}`, `--timeout=${text}`],
      ['profiles', 'use', text],
      ['profiles', 'list', '-p', text],
      ['profiles', 'add', text, '--base-url', `https://${text}.example`],
      ['webhooks', 'add', `https://shop.example/${text}`],
      ['webhooks', 'listen', `--path=/${text}`],
      ['webhooks', 'listen', `--forward-to=http://${text}`],
      ['webhooks', 'trigger', text, '--to', 'http://127.0.0.1:9/'],
      ['history', 'show', text],
      ['explain', text],
      ['api', 'GET', `/partner/${text}`, '-f', `${text}=${text}`],
    ])
      await pretend(m, line, { env, transport })
  }
})

test('neither a file of rows nor the service’s answers about them can control the terminal [row 82]', async () => {
  using m = machine()
  const env = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E' }
  for (const text of HOSTILE) {
    writeFileSync(join(m.dir, 'in.csv'), `trx,"a${text}",b,c,d,e\nT1,"${text}",,,,\n`)
    const body = Buffer.from(JSON.stringify({ error: { code: 'ERR_NO', message: `no ${text}` } }))
    const transport = async () => ({ status: 422, headers: {}, body })
    for (const form of ['csv', 'ndjson', 'json']) {
      const ran = await pretend(m, ['verify', '--from', 'in.csv', '-o', form, '--restart'], { env, transport })
      expect(ran.stdout, ran.stderr).toContain('T1')
    }
  }
})

test('requests to the sandbox cannot control the terminal that shows them [row 82]', async () => {
  using m = machine()
  for (const [n, text] of HOSTILE.entries()) {
    const body = JSON.stringify({ idNumber: text, amount: 1, entityId: text, externalTrxId: text })
    writeFileSync(join(m.dir, `body${n}.json`), body)
    await pretend(m, ['api', 'POST', `/partner/${text}/loan`, '--input', `body${n}.json`, '-p', 'sandbox', '-y'])
    await pretend(m, ['sandbox', 'pay', text])
  }
  const { stdout } = await pretend(m, ['sandbox', 'requests', '--limit', '100'])
  expect(stdout).toContain('/partner/')
  await pretend(m, ['sandbox', 'deliveries'])
  await pretend(m, ['history', 'list'])
})

test('an event cannot control the terminal of the receiver, or the terminal of a later webhooks events command [row 82]', async () => {
  using m = machine()
  const ready = join(m.dir, 'ready.json')
  const words = ['webhooks', 'listen', '--port', '0', '--ready-file', ready, '--forward-to', 'http://127.0.0.1:9/']
  needsProgram('script')
  const child = spawn('script', ['-qefc', [process.execPath, LAUNCHER, ...words].join(' '), '/dev/null'], {
    cwd: m.dir,
    env: {
      PATH: process.env.PATH,
      HOME: m.dir,
      TERM: 'xterm',
      BNPL_STATE_DIR: m.stateDir,
      BNPL_CONFIG_DIR: m.configDir,
      BNPL_WEBHOOK_SECRET: SECRET,
    },
  })
  let screen = ''
  child.stdout.on('data', (chunk) => {
    screen += chunk
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await until(() => existsSync(ready))
  const { url, pid } = JSON.parse(readFileSync(ready, 'utf8'))
  for (const text of HOSTILE) {
    const data = { externalTrxId: text, loanAmount: 1, [text]: text }
    expect((await deliver({ url }, { eventId: `${text}-event`, data })).status).toBe(200)
    expect((await deliver({ url }, { eventId: `${text}-event`, data: { ...data, again: text } })).status).toBe(200)
    expect((await deliver({ url }, { body: `["${text}"]` })).status).toBe(200)
  }
  process.kill(pid, 'SIGTERM')
  await ended
  // The live table moves the cursor itself, so the test looks for the texts that were sent.
  for (const text of HOSTILE.slice(1)) expect([text, screen.includes(text)]).toEqual([text, false])
  expect(screen).not.toMatch(/\u001b\]|\u009b|\u202e|^error: forged/m)
  expect(screen).toContain('-event')

  const { stdout } = await pretend(m, ['webhooks', 'events', 'list', '--limit', '100', '--reveal'])
  expect(stdout).toContain('-event')
  for (const text of HOSTILE) await pretend(m, ['webhooks', 'events', 'show', `${text}-event`, '--reveal'])
  for (let n = 1; n <= 6; n++) await pretend(m, ['webhooks', 'events', 'show', `#${n}`, '--reveal'])
})

test('a token that --raw prints, and the rows of a run over a file, cannot control the terminal [row 82]', async () => {
  using m = machine()
  const env = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E' }
  writeFileSync(join(m.dir, 'orders.csv'), 'externalTrxId\nT1\n')
  for (const text of HOSTILE) {
    const token = { data: { accepted: true, widgetToken: `t${text}` } }
    const given = async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(token)) })
    const raw = await pretend(m, 'widget-token --amount 1 --email a@b.cl --trx T --raw'.split(' '), {
      env,
      transport: given,
    })
    expect(raw.code).toBe(0)
    const refused = async () => ({ status: 422, headers: {}, body: Buffer.from(JSON.stringify({ message: text })) })
    for (const more of [[], ['--csv-raw'], ['-o', 'ndjson']]) {
      const ran = await pretend(m, ['verify', '--from', 'orders.csv', ...more], { env, transport: refused })
      expect(ran.code).toBe(11)
    }
  }
})
