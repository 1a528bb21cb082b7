import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Kitchen, kitchen } from '../kit/kitchen.ts'
import { ROOT } from '../kit/source-graph.ts'

const PAGE = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8')

const RECIPES = new Map(
  [...PAGE.matchAll(/^```sh recipe=(\w+)\n([\s\S]*?)^```$/gm)].map(
    (match) => [String(match[1]), String(match[2])] as const,
  ),
)

const recipe = (name: string) => RECIPES.get(name) ?? 'exit 99'

test('the documented recipes are exactly the six recipes that this file tests', () => {
  expect([...RECIPES.keys()]).toEqual(['reconcile', 'register', 'smoke', 'torture', 'reports', 'suite'])
})

test('the nightly reconciliation distinguishes matching orders from orders that differ or cannot be verified', async () => {
  await using k = await kitchen()
  for (const [trx, amount] of [
    ['order-1001', 250_000],
    ['order-1002', 90_000],
  ]) {
    await k.sh(`bnpl evaluate --rut 11222333-9 --amount ${amount} --trx ${trx}`)
    await k.run(`sandbox pay ${trx}`)
  }
  const csv =
    RECIPES.size > 0
      ? /^```csv\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8'))?.[1]
      : undefined
  k.put('orders.csv', csv ?? '')
  expect(await k.twice(recipe('reconcile'))).toMatchObject({ text: expect.stringContaining('all as expected') })
  expect(k.file('reconciled.xml')).toContain('failures="0"')
  k.put('orders.csv', (csv ?? '').replace('90000', '90001'))
  expect(await k.twice(recipe('reconcile'))).toMatchObject({
    text: expect.stringContaining('differences, see reconciled.csv'),
  })
  k.put('orders.csv', `${csv}order-9999,1,ACTIVE\n`)
  const failed = await k.twice(recipe('reconcile'))
  expect(failed.text).toMatch(/differences|could not be verified/)
  const [, again = '--wat'] = /verify the failed rows again, use `(.+?)`/.exec(PAGE) ?? []
  const command = recipe('reconcile').replace('--from orders.csv --out reconciled.csv', again)
  expect(await k.twice(command)).toMatchObject({ text: expect.stringContaining('differences, see') })
  expect(k.file('again.failed.csv')).toContain('order-9999')
})

/** Runs a recipe as cron does. `/usr/local/bin`, which a recipe may put into PATH, is the folder with `bnpl`, or an empty folder. */
const inCron = (k: Kitchen, name: string, folder: string) =>
  k.cron(recipe(name).replaceAll('/usr/local/bin:', `${folder}:`))

test.each([...RECIPES.keys()])(
  'under cron, the recipe %s fails loudly if bnpl is not found, and if no profile is set up',
  async (name) => {
    await using k = await kitchen()
    k.put('orders.csv', 'externalTrxId\norder-1001\n')
    k.put('reports.csv', 'preApproveId\np-1\n')
    const lost = await inCron(k, name, join(k.dir, 'nothing'))
    expect(lost.code).not.toBe(0)
    // A machine may have a `bnpl` in /usr/bin, whose Node is too old. That must be as loud.
    expect(lost.text).toMatch(/bnpl: (command )?not found|bnpl needs Node\.js/)
    if (name === 'suite' || name === 'torture') return
    const unset = await k.cron(`PATH=${k.bin}:$PATH\n${recipe(name)}`)
    expect(unset.code).not.toBe(0)
    expect(unset.text).toMatch(/no profile is chosen|profile “shop” does not exist/)
  },
)

test('under cron, the nightly reconciliation uses the profile of the user, and passes its exit code on', async () => {
  await using k = await kitchen()
  const { BNPL_BASE_URL: base, BNPL_API_KEY: key } = k.env
  const added = await k.cron(
    `printf %s ${key} | ${k.bin}/bnpl profiles add shop --environment beta --base-url ${base} --api-key-stdin`,
  )
  expect(added.code).toBe(0)
  await k.sh('bnpl evaluate --rut 11222333-9 --amount 250000 --trx order-1001')
  await k.run('sandbox pay order-1001')
  const night = () => inCron(k, 'reconcile', k.bin)
  k.put('orders.csv', 'externalTrxId,expectedAmount\norder-1001,250000\n')
  expect(await night()).toMatchObject({ code: 0, text: expect.stringContaining('all as expected') })
  k.put('orders.csv', 'externalTrxId,expectedAmount\norder-1001,250001\n')
  expect(await night()).toMatchObject({ code: 10, text: expect.stringContaining('differences, see') })
  k.put('orders.csv', 'externalTrxId,expectedAmount\n')
  const nothing = await night()
  expect(nothing.code).not.toBe(0)
  expect(nothing.text).toContain('reconciliation did not run, exit code')
})

test('repeated deployments register exactly one destination, and the secret is stored only in the profile', async () => {
  await using k = await kitchen()
  const added = await k.sh(
    'printf %s "$BNPL_API_KEY" | bnpl profiles add shop --environment beta --base-url "$BNPL_BASE_URL" --payment-url "$BNPL_PAYMENT_URL" --api-key-stdin',
  )
  expect(added).toMatchObject({ code: 0 })
  const before = readdirSync(k.dir)
  const first = await k.sh(recipe('register'))
  const secrets = () => JSON.parse(k.file('config/profiles.json')).profiles.shop.webhookSecrets
  const [secret] = secrets()
  expect([first.code, secret]).toEqual([0, expect.stringMatching(/^.{16,}$/)])
  const second = await k.twice(recipe('register'))
  expect([second.code, secrets()]).toEqual([0, [secret]])
  expect(first.text + second.text).not.toContain(secret)
  expect(readdirSync(k.dir)).toEqual(before)
  expect(statSync(join(k.dir, 'config/profiles.json')).mode & 0o777).toBe(0o600)
  expect(JSON.parse((await k.sh('bnpl webhooks list --json')).text)).toMatchObject([
    { url: 'https://shop.example/hooks/bnpl' },
  ])
})

test('the smoke recipe passes and writes a JUnit report', async () => {
  await using k = await kitchen()
  expect(await k.twice(recipe('smoke'))).toMatchObject({ code: 0 })
  expect(k.file('smoke.xml')).toMatch(/<testsuite name="bnpl smoke" tests="\d+" failures="0"/)
})

test('the torture recipe tests the shop of the example, without an account, and writes its reports', {
  timeout: 120_000,
}, async () => {
  await using k = await kitchen()
  for (const file of ['shop.ts', 'test.ts']) k.put(file, readFileSync(join(ROOT, 'examples/typescript', file), 'utf8'))
  // The recipe calls `node`, which may be an older one on the machine of the test.
  writeFileSync(join(k.bin, 'node'), `#!/bin/sh\nexec "${process.execPath}" --no-warnings "$@"\n`, { mode: 0o755 })
  const { code, text } = await k.cron(
    `PATH=${k.bin}:$PATH\nexport TORTURE_LIMIT=1 TORTURE_SEED=7\n${recipe('torture')}`,
  )
  expect([code, text]).toEqual([0, expect.stringContaining('Seed 7')])
  expect(k.file('torture.xml')).toContain('tests="2" failures="0"')
  expect(k.file('torture.html')).toContain('1 fault, 0 findings')
  expect(k.file('torture.svg')).toContain('1 fault, 0 findings')
})

test('the files for GitHub Actions and GitLab run the script of the torture recipe, and keep the reports that it writes', () => {
  const [github = '', gitlab = ''] = ['github', 'gitlab'].map(
    (name) => new RegExp(`^\`\`\`yaml ci=${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1],
  )
  const { steps } = parse(github).jobs.torture
  const { script, artifacts } = parse(gitlab).torture
  const install = 'npm install --global --ignore-scripts ./bnpl-*.tgz'
  const runs = steps.flatMap(({ run }: { run?: string }) => run ?? [])
  expect(runs).toEqual([install, 'sh torture.sh'])
  expect([script.at(0), script.at(-1)]).toEqual([install, 'sh torture.sh'])
  const written = [...recipe('torture').matchAll(/--(?:junit|report|badge) (\S+)/g)].map(([, file]) => file)
  expect(written).toEqual(steps.at(-1).with.path.trim().split('\n'))
  expect(new Set(written)).toEqual(new Set([artifacts.reports.junit, ...artifacts.paths]))
  for (const variable of recipe('torture').match(/TORTURE_\w+/g) ?? [])
    expect([variable, github.includes(variable), gitlab.includes(variable)]).toEqual([variable, true, true])
})

test('the reports recipe downloads the report of every row of a file', async () => {
  await using k = await kitchen('real-estate')
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const { stdout } = await k.run('sandbox lead --now --json')
    ids.push(JSON.parse(stdout).preApproveId)
  }
  k.put('reports.csv', `preApproveId\n${ids.join('\n')}\n`)
  expect(await k.twice(recipe('reports'))).toMatchObject({ code: 0 })
  expect(readdirSync(join(k.dir, 'reports')).sort()).toEqual(ids.map((id) => `PreAprobacion_${id}.pdf`).sort())
  expect(k.file('downloaded.ndjson').trim().split('\n')).toHaveLength(3)
})

test('the suite recipe runs a test suite in a sandbox of its own and leaves no sandbox running', async () => {
  await using k = await kitchen()
  expect(await k.cron(`PATH=${k.bin}:$PATH\n${recipe('suite')}`)).toMatchObject({ code: 0 })
  const running = readdirSync(k.dir, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('sandbox-running.json'))
  expect(running).toEqual([join('state', 'sandbox-running.json')])
})
