import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { expect, test } from 'vitest'
import { contextOf, machineOfTest } from '../../../../test/kit/command-context.ts'
import { ROOT } from '../../../../test/kit/source-graph.ts'
import type { GlobalOptions } from '../../../context.ts'
import { addListenOptions, LISTEN_DEFAULTS, readListenPlan } from './plan.ts'

/** The plan of a command line, words split at spaces. */
async function planOf(line = '', options: Partial<GlobalOptions> = {}) {
  const { world } = machineOfTest().world({ env: { BNPL_BASE_URL: 'https://api.example.com', BNPL_API_KEY: 'k' } })
  const command = new Command('listen')
  const words = line.split(' ').filter(Boolean)
  return readListenPlan(contextOf(world, options), addListenOptions(command).parse(words, { from: 'user' }).opts())
}

test('the default plan listens on loopback at /webhooks for signed events, without a limit of events', async () => {
  expect(await planOf()).toMatchObject({
    port: 4556,
    host: '127.0.0.1',
    scheme: 'hmac',
    path: '/webhooks',
    forwardTo: undefined,
    forwardAttempts: 8,
    publicUrl: undefined,
    publicHosts: [],
    until: undefined,
    print: true,
    metrics: undefined,
  })
})

test('the help of --forward-attempts says which attempts do not count', async () => {
  const { isAwayStatus } = await import('../../../receiver/forwarding/forward-attempt.ts')
  const help = addListenOptions(new Command('listen')).options.find(
    ({ long }) => long === '--forward-attempts',
  )?.description
  const [, counted = '', uncounted = ''] = help?.split('. ') ?? []
  expect(counted).toContain('refuses the event, or receives it and does not answer')
  const away = Array.from({ length: 500 }, (_, i) => i + 100).filter(isAwayStatus)
  expect(uncounted.match(/\d+/g)?.map(Number)).toEqual(away)
  expect(uncounted).toContain('cannot be reached')
})

test('docs/webhooks.md says after how many attempts an event is set aside by default', () => {
  const said = readFileSync(join(ROOT, 'docs', 'webhooks.md'), 'utf8').match(/(\d+) attempts \(`--forward-attempts`\)/)
  expect(said?.[1]).toBe(LISTEN_DEFAULTS.forwardAttempts)
})

test('each option sets the field of the plan with the same name', async () => {
  const line =
    '--port 0 --host 0.0.0.0 --scheme token --path /hook --forward-to http://127.0.0.1:9/h --forward-attempts 3 --until 5 --ready-file r --no-print'
  expect(await planOf(line)).toMatchObject({
    port: 0,
    host: '0.0.0.0',
    scheme: 'token',
    path: '/hook',
    forwardTo: 'http://127.0.0.1:9/h',
    forwardAttempts: 3,
    until: 5,
    readyFile: 'r',
    print: false,
  })
})

test('--public-url sets the path and adds a public host, and --path overrides the path', async () => {
  const url = '--public-url https://Shop.example/hooks/bnpl'
  expect(await planOf(url)).toMatchObject({ path: '/hooks/bnpl', publicHosts: ['shop.example'] })
  expect(await planOf(`${url} --path /inside`)).toMatchObject({ path: '/inside', publicHosts: ['shop.example'] })
  expect((await planOf(`${url} --public-host Tunnel.example [2001:db8::1]`)).publicHosts).toEqual([
    'tunnel.example',
    '[2001:db8::1]',
    'shop.example',
  ])
})

test.each(['shop.example:8080', 'https://shop.example', 'shop.example/hook', 'a@shop.example', 'shop.example?x'])(
  '--public-host is refused if the value is not only a host name: %s',
  async (name) => {
    await expect(planOf(`--public-host ${name}`)).rejects.toMatchObject({ kind: 'usage', code: 'INVALID_HOST' })
  },
)

test.each(['hook', '/a?b', '/a#b', '/a\\b', '/ñ', '/\u0007'])(
  'a path that no request can have is refused: %j',
  async (path) => {
    await expect(planOf(`--path ${path}`)).rejects.toMatchObject({ kind: 'usage', code: 'INVALID_PATH' })
  },
)

test('--metrics-port uses loopback by default, and --metrics-host without --metrics-port is refused', async () => {
  expect((await planOf('--metrics-port 0')).metrics).toEqual({ host: '127.0.0.1', port: 0 })
  expect((await planOf('--metrics-port 9090 --metrics-host 0.0.0.0')).metrics).toEqual({ host: '0.0.0.0', port: 9090 })
  await expect(planOf('--metrics-host 0.0.0.0')).rejects.toMatchObject({ kind: 'usage', code: 'NO_METRICS_PORT' })
  await expect(planOf('--metrics-port 70000')).rejects.toMatchObject({ kind: 'usage' })
})

test('--dry-run, CSV output and invalid values of options are refused', async () => {
  await expect(planOf('', { dryRun: true })).rejects.toMatchObject({ kind: 'usage', code: 'NO_DRY_RUN' })
  await expect(planOf('', { output: 'csv' })).rejects.toMatchObject({
    kind: 'usage',
    hint: 'Remove --output, or use --json for lines of JSON.',
  })
  for (const line of ['--scheme basic', '--until 0', '--forward-attempts x', '--port -1', '--forward-to ftp://a/b'])
    await expect(planOf(line), line).rejects.toMatchObject({ kind: 'usage' })
})
