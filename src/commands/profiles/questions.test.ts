import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Machine, machine, type RunOptions } from '../../../test/kit/harness.ts'
import { CLOSED, typedTerminal } from '../../../test/kit/typed-terminal.ts'
import { runCli } from '../../cli.ts'
import { type Transport, WireFailure } from '../../contract/wire.ts'

const ENTER = '\r'
const CLEAR = '\u0015'
const DOWN = '\u001b[B'

/** A service that accepts one key. */
const transport: Transport = async ({ headers }) => {
  const accepted = headers.authorization === 'Bearer some-key'
  return {
    status: accepted ? 200 : 401,
    headers: {},
    body: Buffer.from(accepted ? '{"data":[]}' : '{"code":"ERR_UNAUTHORIZED"}'),
  }
}

async function at(m: Machine, line: string, answers: Parameters<typeof typedTerminal>[0], options: RunOptions = {}) {
  const terminal = typedTerminal(answers)
  const { world, stdout, stderr } = m.world({ transport, ...options })
  Object.assign(world.io, terminal.io)
  const code = await runCli(line.split(' '), world)
  expect(terminal.unanswered()).toBe(0)
  return { code, stdout: stdout(), stderr: stderr(), screen: terminal.screen() }
}

const stored = (m: Machine) => JSON.parse(readFileSync(join(m.configDir, 'profiles.json'), 'utf8'))

test('on a terminal add asks for each value, rejects wrong ones, and does not show the key', async () => {
  using m = machine()
  const ran = await at(m, 'profiles add --json', [
    [/Name of the profile/, `sandbox${ENTER}`],
    [/always means the sandbox/, `${CLEAR}acme${ENTER}`],
    [/Which environment/, DOWN + ENTER],
    [/Base address/, `http://api.example.com${ENTER}`],
    [/loopback/, `${CLEAR} https://api.example.com ${ENTER}`],
    [/payment page \(press Enter/, ENTER],
    [/Public key/, `pk_1${ENTER}`],
    [/entity id/, ENTER],
    [/API key/, `two words${ENTER}`],
    [/> This contains a space[\s\S]*API key/, `also two words${ENTER}`],
    [/> This contains a space[\s\S]*API key/, `canary-key-123456${ENTER}`],
  ])
  expect(ran).toMatchObject({ code: 0 })
  expect(JSON.parse(ran.stdout)).toMatchObject({
    name: 'acme',
    environment: 'production',
    publicKey: 'pk_1',
    entityId: null,
  })
  expect(stored(m).profiles.acme).toEqual({
    environment: 'production',
    baseUrl: 'https://api.example.com',
    publicKey: 'pk_1',
    apiKey: 'canary-key-123456',
    apiKeyOrigin: 'https://api.example.com',
  })
  expect(ran.screen + ran.stderr + ran.stdout).not.toContain('canary')
  expect(ran.stderr).toContain('production account')
  expect(ran.stderr).toContain('The key: refused: 401')
  expect(ran.stderr).toContain('bnpl profiles set-key acme')
})

test.each([
  ['Ctrl-C', '', '\u0003'],
  ['Ctrl-D', '', '\u0004'],
  ['the end of the input', '', CLOSED],
  ['an input that ended with the wrong answer', CLOSED, undefined],
])('after a wrong key, %s ends the questions', async (_, end, keys) => {
  for (const env of [{}, { BNPL_ACCESSIBLE: '1' }]) {
    using m = machine()
    const again = keys === undefined ? [] : [[/contains a space[\s\S]*API key/, keys] as const]
    const terminal = typedTerminal([[/API key/, `two words${ENTER}${end}`], ...again])
    const { world } = m.world({ env })
    Object.assign(world.io, terminal.io)
    const code = await runCli('profiles add acme --base-url https://api.example.com'.split(' '), world)
    expect([env, code, terminal.unanswered()]).toEqual([env, 130, 0])
    expect(existsSync(join(m.configDir, 'profiles.json'))).toBe(false)
  }
})

test.each([
  [
    'en',
    'The key could not be checked: could not list webhook destinations: 127.0.0.1:9: nothing answers at this address (ECONNREFUSED). Run: bnpl doctor -p acme',
  ],
  [
    'es',
    'No se pudo verificar la clave: no se pudo listar los destinos de webhooks: 127.0.0.1:9: nadie responde en esta dirección (ECONNREFUSED). Ejecuta: bnpl doctor -p acme',
  ],
])('a key that was stored but could not be checked is reported as such (%s)', async (language, message) => {
  using m = machine()
  const ran = await at(m, 'profiles add acme --base-url https://127.0.0.1:9', [[/API|clave/i, `some-key${ENTER}`]], {
    env: { BNPL_LANG: language },
    transport: async () => {
      throw new WireFailure('refused', false, 'ECONNREFUSED')
    },
  })
  expect(ran.code).toBe(0)
  expect(ran.stderr.replace(/\s+/g, ' ')).toContain(message)
})

test('add asks only for the key when the options give the rest', async () => {
  using m = machine()
  const ran = await at(m, 'profiles add acme --base-url https://api.example.com', [[/API key/, `some-key${ENTER}`]])
  expect(ran).toMatchObject({ code: 0, stdout: '' })
  expect(ran.stderr).toContain('The key is accepted (0 webhook destinations found).')
  expect(stored(m).profiles.acme).toMatchObject({ environment: 'beta', apiKey: 'some-key' })
})

test('--api-key-stdin at a terminal is a hidden prompt, and --no-input forbids it', async () => {
  using m = machine()
  const line = 'profiles add acme --base-url https://api.example.com --api-key-stdin'
  expect(await at(m, `${line} --no-input`, [])).toMatchObject({ code: 2 })
  const ran = await at(m, line, [[/API key/, `canary-key${ENTER}`]])
  expect(ran.code).toBe(0)
  expect(ran.screen).not.toContain('canary')
})

test('Ctrl-C at a question exits with 130, and nothing is stored [row 99]', async () => {
  using m = machine()
  expect(await at(m, 'profiles add', [[/Name of the profile/, '\u0003']])).toMatchObject({ code: 130, stdout: '' })
  expect(existsSync(join(m.configDir, 'profiles.json'))).toBe(false)
})

test('rm removes the profile only after a yes', async () => {
  using m = machine()
  await m.run('profiles add acme --base-url https://api.example.com --api-key-stdin', { stdin: 'some-key' })
  expect(await at(m, 'profiles rm acme', [[/Remove the profile acme/, `n${ENTER}`]])).toMatchObject({ code: 2 })
  expect(await at(m, 'profiles rm acme', [[/Remove the profile acme/, ENTER]])).toMatchObject({ code: 2 })
  expect(stored(m).profiles).toHaveProperty('acme')
  expect(await at(m, 'profiles rm acme', [[/Remove the profile acme/, `y${ENTER}`]])).toMatchObject({ code: 0 })
  expect(stored(m).profiles).toEqual({})
})
