import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Transport } from '../src/contract/wire.ts'
import { machine } from './harness.ts'

const env = { BNPL_API_KEY: 'sk_canary_0123456789', BNPL_BASE_URL: 'https://api.example.com', BNPL_ENTITY_ID: 'E1' }

const answers =
  (status: number, code?: string): Transport =>
  async () => ({ status, headers: {}, body: Buffer.from(JSON.stringify(code === undefined ? {} : { code })) })

const evaluate = 'evaluate --rut 11111111-1 --amount 1000 --trx T1'

test.each([
  [evaluate, 401, 'Check the key of this profile: bnpl profiles show'],
  [evaluate, 500, 'Do not simply run it again. To find out: bnpl evaluations get --rut …'],
  ['select --installments 3 --trx T1 --pre-approve-id P1 --amount 1000', 500, 'To find out: bnpl verify TRX after'],
  ['widget-token --trx T1 --amount 1000 --email ana@example.com', 502, 'To find out: wait 10 minutes'],
  ['webhooks add https://shop.example/hook', 503, 'To find out: bnpl webhooks list'],
  ['webhooks rm W1 -y', 404, 'See the ids with: bnpl webhooks list'],
  ['webhooks subscribe https://shop.example/hook --event new_lead', 422, 'bnpl webhooks add https://shop.example/hook'],
  ['verify T1', 404, 'in case the customer has not paid yet: bnpl verify T1 --wait'],
  ['api POST /partner/pre-approve/T1/loan', 404, 'may not have paid yet: `bnpl verify TRX --wait` waits for it.'],
  ['informe get P1', 401, 'The key was accepted; use the profile of the partner that made this evaluation.'],
  ['informe get P1', 403, 'Ask your partner service to activate the account.'],
  ['api GET /partner/webhook', 403, 'Check the key of this profile: bnpl profiles show'],
])('%s and a %s: the hint names the command that helps', async (line, status, hint) => {
  using m = machine()
  const ran = await m.run(`${line} --json`, { env, transport: answers(status) })
  expect(ran.error().hint).toContain(hint)
  expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(hint)
})

test('a row of a file that is of unknown outcome says by which command it is found out', async () => {
  using m = machine()
  writeFileSync(join(m.dir, 'rows.csv'), 'rut,amount,externalTrxId\n11111111-1,50000,B1\n')
  await m.run('evaluate --from rows.csv --out rows.ndjson', { env, transport: answers(500) })
  expect(readFileSync(join(m.dir, 'rows.ndjson'), 'utf8')).toContain('To find out: bnpl evaluations get --rut …')
})

test('a check of smoke that failed says by which command it is mended', async () => {
  using m = machine()
  const checks = (await m.run('smoke --json', { env, transport: answers(401) })).json()
  const hint = 'Check the key of this profile: bnpl profiles show'
  expect(checks).toContainEqual(expect.objectContaining({ status: 'fail', hint }))
})
