import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../../../test/kit/harness.ts'
import { needsProgram } from '../../../../test/kit/needs.ts'
import { ROOT } from '../../../../test/kit/source-graph.ts'
import { unitText } from './listen.ts'
import { LISTEN_DEFAULTS } from './plan.ts'

const EXECUTABLE = { execPath: '/usr/local/bin/bnpl', program: '', isExecutable: true }
const settings = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1))

test('the unit in deploy/ is the unit that --print-unit prints for its options', () => {
  const options = {
    port: '4556',
    ...LISTEN_DEFAULTS,
    path: '/bnpl',
    forwardTo: 'http://127.0.0.1:3000/hook',
    publicHost: ['hooks.shop.example'],
    print: true,
    printUnit: true,
    metricsPort: '9464',
    secretFile: '/etc/bnpl/webhook-secret',
  }
  expect(unitText({ runtime: EXECUTABLE, cwd: '/' }, options)).toBe(
    readFileSync(join(ROOT, 'deploy', 'bnpl-receiver.service'), 'utf8'),
  )
})

test.each([
  ['/usr/bin/node', '/usr/lib/node_modules/bnpl/bin/bnpl.js', 'yes', []],
  [
    '/root/.nvm/versions/node/v24.5.0/bin/node',
    '/root/.nvm/versions/node/v24.5.0/bin/bnpl',
    'tmpfs',
    ['/root/.nvm/versions/node/v24.5.0'],
  ],
  ['/home/a b/n/bin/node', '/opt/bnpl/bin/bnpl.js', 'tmpfs', ['"/home/a b/n"']],
  ['/usr/bin/node', '/home/shop/bnpl/bin/bnpl.js', 'tmpfs', ['/home/shop/bnpl']],
  ['/home/shop/node/bin/node', '/home/shop/bnpl/bin/bnpl.js', 'tmpfs', ['/home/shop/node /home/shop/bnpl']],
])(
  'the unit shows the folders of Node and bnpl, and no other home folder: %s, %s',
  (execPath, program, home, shown) => {
    const text = unitText({ runtime: { execPath, program, isExecutable: false }, cwd: '/' }, {})
    expect([settings(text, 'ProtectHome'), settings(text, 'BindReadOnlyPaths')]).toEqual([[home], shown])
  },
)

test('systemd accepts the unit, also with words that it would otherwise replace', async () => {
  using m = machine()
  const line = [
    'webhooks',
    'listen',
    '--secret-file',
    'my secret%1',
    '--database-password-file',
    'pw',
    '--path',
    '/a%b$c',
  ]
  const { code, stdout, stderr } = await m.run([...line, '--database', 'postgres://shop@db.example/x', '--print-unit'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('systemctl enable --now bnpl-receiver')])
  expect(settings(stdout, 'LoadCredential')).toEqual([
    `webhook-secret:${m.dir}/my secret%%1`,
    `database-password:${m.dir}/pw`,
  ])
  expect(settings(stdout, 'ExecStart')[0]).toContain('--path /a%%b$$c')
  expect(settings(stdout, 'ExecStart')[0]).toContain('--database-password-file %d/database-password')
  needsProgram('systemd-analyze')
  const path = join(m.dir, 'bnpl-receiver.service')
  writeFileSync(path, stdout.replaceAll(join(m.dir, 'bnpl.js'), '/dev/null'))
  const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  expect([verified.status, verified.stderr]).toEqual([0, ''])
})

test.each([
  ['', '--print-unit needs --secret-file'],
  ['--secret-file s --until 1', 'a service cannot use --until'],
  ['--secret-file s --public-url https://a.example/b', 'a service cannot use --public-url'],
])('a unit is refused for what a service cannot have: %s', async (options, why) => {
  using m = machine()
  const { code, stdout, stderr } = await m.run(`webhooks listen ${options} --print-unit`)
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)])
})
