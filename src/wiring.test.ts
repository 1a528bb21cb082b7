import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contextOf, machineOfTest } from '../test/kit/command-context.ts'
import type { RunOptions } from '../test/kit/harness.ts'
import { loan } from '../test/kit/loan.ts'
import type { Context, GlobalOptions } from './context.ts'
import type { Transport } from './contract/wire.ts'
import { DryRun } from './errors.ts'

const KEY = 'sk_canary_0123456789'
const ENV = { BNPL_API_KEY: KEY, BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }

/** Returns a service that answers every request, and the addresses of these requests. */
function service() {
  const seen: string[] = []
  const transport: Transport = async ({ url }) => {
    seen.push(url)
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data: loan('T1') })) }
  }
  return { seen, transport }
}

/** Returns the context of a command on a separate test machine with these profiles. */
function place(
  options: Partial<GlobalOptions> = {},
  run: RunOptions = {},
  profiles: Record<string, Record<string, string>> = {},
) {
  const m = machineOfTest(profiles)
  const { world, stderr } = m.world(run)
  return { m, context: contextOf(world, options), world, stderr }
}

const profile = (name: string, environment = 'beta') => ({
  environment,
  baseUrl: `https://${name}.example.com`,
  paymentUrl: 'https://pay.example.com',
  apiKey: `sk_of_${name}_0123456789`,
  apiKeyOrigin: `https://${name}.example.com`,
})

test('each heavy part is made once, on first use', async () => {
  const { context } = place({ profile: 'sandbox' })
  const parts = ['settings', 'api', 'history', 'sandbox', 'profiles', 'network', 'download', 'prompts'] as const
  for (const part of parts) {
    const [first, second] = [context[part](), context[part]()]
    expect([part, await first]).toEqual([part, await second])
    expect(await context[part]()).toBe(await first)
  }
  // `apiFor` creates a separate client.
  const calls = { pacing: { ready: () => undefined, pause() {} }, retry: RETRY, signal: context.signal, onWait() {} }
  expect(await context.apiFor({ ...calls, what: 'verify' })).not.toBe(await context.api())
  expect(await context.close()).toEqual([])
})

const RETRY = { attempts: 1, baseMs: 1, capMs: 1, maxWaitMs: 1 }

test('everything that was opened is closed in reverse order, and failures are reported in order', async () => {
  const { context } = place()
  const closed: number[] = []
  for (const number of [1, 2, 3, 4])
    context.onClose(async () => {
      closed.push(number)
      if (number % 2 === 1) throw new Error(`no ${number}`)
    })
  expect(await context.close()).toEqual([new Error('no 3'), new Error('no 1')])
  expect(closed).toEqual([4, 3, 2, 1])
  expect(await context.close()).toEqual([])
})

test('the history that a command opened is closed with it', async () => {
  const { context } = place()
  const history = await context.history()
  await context.close()
  await expect((async () => history.list({ limit: 1 }))()).rejects.toThrow()
})

test('a dry run ends before anything is sent: the error has the request, with a variable in place of the key', async () => {
  const { seen, transport } = service()
  const { context } = place({ dryRun: true }, { env: ENV, transport })
  const api = await context.api()
  const error = await api.call('verifyLoan', { params: { externalTrxId: 'T1' }, body: {} }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(DryRun)
  expect(error.lines).toEqual([expect.stringContaining('/partner/pre-approve/T1/loan')])
  expect(error.lines[0]).toContain('$BNPL_API_KEY')
  expect(error.lines[0]).not.toContain(KEY)
  expect(seen).toEqual([])
})

/** Gives this answer to every question. @returns a list to which each question is added */
function answering(context: Context, answer: boolean): string[] {
  const asked: string[] = []
  const nothing = async () => ''
  const prompts = {
    async confirm({ message }: { message: string }) {
      asked.push(message)
      return answer
    },
    input: nothing,
    secret: nothing,
    select: () => Promise.reject(new Error('not asked')),
  }
  context.prompts = async () => prompts
  return asked
}

const production = { shop: profile('shop', 'production') }
const change = (context: Context) =>
  context.api().then((api) => api.call('deleteWebhook', { params: { id: 'W1' }, body: {} }))
const read = (context: Context) =>
  context.api().then((api) => api.call('verifyLoan', { params: { externalTrxId: 'T1' }, body: {} }))

test('a production profile announces itself once, and asks once before a change', async () => {
  const { seen, transport } = service()
  const { context, stderr } = place({ input: true }, { transport }, production)
  const asked = answering(context, true)
  await read(context)
  expect([asked, stderr()]).toEqual([[], 'PRODUCTION profile shop (shop.example.com)\n'])
  await Promise.all([change(context), change(context)])
  await change(context)
  expect(asked).toEqual(['delete a webhook destination on production?'])
  expect(stderr()).toBe('PRODUCTION profile shop (shop.example.com)\n')
  expect(seen).toHaveLength(4)
})

test('a change without confirmation is not sent', async () => {
  const { seen, transport } = service()
  const declined = place({ input: true }, { transport }, production)
  answering(declined.context, false)
  await expect(change(declined.context)).rejects.toMatchObject({ kind: 'usage', code: 'DECLINED' })
  const silent = place({}, { transport }, production)
  await expect(change(silent.context)).rejects.toMatchObject({
    code: 'PRODUCTION_NEEDS_YES',
    hint: expect.stringContaining('--yes'),
  })
  expect(seen).toEqual([])
})

test('--yes confirms a change in advance, and a run of many calls asks one question of its own', async () => {
  const { seen, transport } = service()
  const agreed = place({ yes: true }, { transport }, production)
  await change(agreed.context)
  expect(agreed.stderr()).toContain('PRODUCTION')
  const many = place({ input: true }, { transport }, production)
  const asked = answering(many.context, true)
  const { signal } = many.context
  const calls = { pacing: { ready: () => undefined, pause() {} }, retry: RETRY, signal, onWait() {} }
  const api = await many.context.apiFor({ ...calls, what: 'delete 3 destinations' })
  for (const id of ['1', '2', '3']) await api.call('deleteWebhook', { params: { id }, body: {} })
  expect(asked).toEqual(['delete 3 destinations on production?'])
  expect(seen).toHaveLength(4)
})

test('a test account neither announces itself nor asks', async () => {
  const { context, stderr } = place({ input: true }, { transport: service().transport }, { shop: profile('shop') })
  const asked = answering(context, false)
  await change(context)
  expect([asked, stderr()]).toEqual([[], ''])
})

const PROFILES = { one: profile('one'), two: profile('two'), three: profile('three') }

test.each([
  [undefined, {}, 'one', 'default profile'],
  [undefined, { BNPL_PROFILE: 'two' }, 'two', 'BNPL_PROFILE'],
  ['three', { BNPL_PROFILE: 'two' }, 'three', '--profile'],
])('with -p %s and %j the profile is %s (%s)', async (flag, env, name, source) => {
  const { context } = place({ profile: flag }, { env }, PROFILES)
  const { profile: chosen, baseUrl } = await context.settings()
  expect(chosen).toEqual({ value: name, source })
  expect(baseUrl).toEqual({ value: `https://${name}.example.com`, source: `profile ${name}` })
  // The settings of another profile can be read too.
  expect((await context.settings('one')).profile?.value).toBe('one')
  expect((await context.settings()).profile?.value).toBe(name)
})

test('a variable overrides the profile, with a note if the profile was named', async () => {
  const env = { BNPL_ENTITY_ID: 'from-env', BNPL_API_KEY: KEY }
  const profiles = { one: { ...profile('one'), entityId: 'from-profile' } }
  const named = place({ profile: 'one' }, { env }, profiles)
  expect((await named.context.settings()).entityId).toEqual({ value: 'from-env', source: 'BNPL_ENTITY_ID' })
  expect(named.stderr()).toMatch(/^! BNPL_API_KEY .*profile one/)
  const byDefault = place({}, { env }, profiles)
  expect((await byDefault.context.settings()).entityId?.value).toBe('from-env')
  expect(byDefault.stderr()).toBe('')
})

test('if the environment names a service and a key, the profile file is not read', async () => {
  const { context, m } = place({}, { env: ENV }, PROFILES)
  writeFileSync(join(m.configDir, 'profiles.json'), 'not JSON')
  expect((await context.settings()).apiKey).toEqual({ value: KEY, source: 'BNPL_API_KEY' })
  const other = place({ profile: 'one' }, { env: ENV }, PROFILES)
  writeFileSync(join(other.m.configDir, 'profiles.json'), 'not JSON')
  await expect(other.context.settings()).rejects.toMatchObject({ kind: 'config' })
})

test.each([
  [{ profile: 'sandbox' }, {}],
  [{ profile: 'sandbox:real-estate' }, {}],
  [{}, { BNPL_PROFILE: 'sandbox' }],
])('the sandbox is available while the profile file is damaged: %j %j', async (options, env) => {
  const { context, m } = place(options, { env }, PROFILES)
  writeFileSync(join(m.configDir, 'profiles.json'), 'not JSON')
  expect((await context.settings()).environment.value).toBe('sandbox')
})

test('without a profile the hint names -p sandbox and profiles add; a key without an address is a config error', async () => {
  await expect(place().context.api()).rejects.toMatchObject({
    code: 'NO_PROFILE',
    hint: expect.stringMatching(/-p sandbox.*bnpl profiles add NAME/),
  })
  await expect(place({}, { env: { BNPL_API_KEY: KEY } }).context.api()).rejects.toMatchObject({ kind: 'config' })
})

test.each([
  [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'TLS_UNCHECKED'],
  [{ NODE_DEBUG: 'http' }, 'DEBUG_TRACES'],
])('with %j in the environment no connection is made', async (setting, code) => {
  const { context } = place({}, { env: { ...ENV, ...setting } })
  await expect(context.network()).rejects.toMatchObject({ kind: 'config', code })
  await expect(context.download()).rejects.toMatchObject({ kind: 'config', code })
})

test('--verbose shows each request and its answer on stderr; without --verbose stderr is empty', async () => {
  for (const [verbose, lines] of [
    [
      true,
      /^> POST [\s\S]*\n< 200\n[\s\S]*\nPOST https:\/\/api\.example\.com\/partner\/pre-approve\/T1\/loan → 200 \d+ ms\n$/,
    ],
    [false, /^$/],
  ] as const) {
    const { context, stderr } = place({ verbose }, { env: ENV, transport: service().transport })
    await read(context)
    expect(stderr()).toMatch(lines)
  }
})
