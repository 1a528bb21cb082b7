import { linkSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { env, service, write } from './kit/bulk-kit.ts'
import { machine } from './kit/harness.ts'
import { cleanUp, deliver, SECRET, startListener } from './receiver/listener.ts'

afterAll(cleanUp)

const ledgerIn = (names: readonly string[]) => names.find((name) => /^bulk\/.*\.db$/.test(name)) ?? ''

test.each([
  ['the lock of the inbox', 'webhooks listen --port 0 --until 1', () => 'inbox.lock'],
  ['the history', 'history', () => 'state.db'],
  ['the claims of runs', 'evaluate --from other.csv', () => 'claims/claims.db'],
  ['a ledger', 'evaluate --from orders.csv --restart', ledgerIn],
  ['the sandbox', 'webhooks list -p sandbox', () => 'sandbox.db'],
])('a file with a second name is refused, because two processes could use it at once: %s', async (_, line, find) => {
  using m = machine()
  const { transport, asked } = service(() => undefined)
  write(m, 'orders.csv', 'rut,amount,externalTrxId\n11222333-9,1000,A1\n')
  write(m, 'other.csv', 'rut,amount,externalTrxId\n11222333-9,1000,B1\n')
  const options = { env: { ...env, BNPL_WEBHOOK_SECRET: SECRET }, transport }
  // One command creates each file.
  await m.run('evaluate --from orders.csv', options)
  await m.run('webhooks list -p sandbox', {})
  mkdirSync(m.stateDir, { recursive: true })
  const name = find(readdirSync(m.stateDir, { recursive: true }).map(String))
  const path = join(m.stateDir, name)
  if (name === 'inbox.lock' || name === 'state.db') write(m, `state/${name}`, '')
  const other = join(m.dir, 'other-name')
  linkSync(path, other)
  const sent = asked.length
  const { code, stderr } = await m.run(line, options)
  expect([code, stderr]).toEqual([3, expect.stringContaining(`${path} has more than one name (a hard link)`)])
  expect(asked).toHaveLength(sent)
})

test('a second receiver on a hard link of an inbox is refused, and the first one stores every delivery', async () => {
  const first = await startListener()
  const dir = join(first.dir, 'other')
  mkdirSync(join(dir, 'state'), { recursive: true, mode: 0o700 })
  linkSync(join(first.dir, 'state', 'inbox.db'), join(dir, 'state', 'inbox.db'))
  const second = await startListener({ dir, unready: true })
  expect(await second.ended).toBe(3)
  expect(second.stderr()).toMatch(
    /inbox\.db has more than one name \(a hard link\)[\s\S]*cp .*inbox\.db .*inbox\.db\.copy && mv /,
  )
  for (let i = 0; i < 5; i++) expect((await deliver(first, { eventId: `e${i}` })).status).toBe(200)
  expect(await first.end('SIGTERM')).toBe(143)
  expect(first.events()).toHaveLength(5)
})

test('sandbox start --data refuses a file with a second name', async () => {
  using m = machine()
  const path = write(m, 'data.db', '')
  linkSync(path, join(dirname(path), 'again.db'))
  const { code, stderr } = await m.run('sandbox start --port 0 --data data.db')
  expect([code, stderr]).toEqual([3, expect.stringContaining('data.db has more than one name (a hard link)')])
})
