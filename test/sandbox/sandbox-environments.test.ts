import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { here } from '../kit/here.ts'

test('a profile of production works at the address that the sandbox shows, and asks before it changes anything [specification F19]', async () => {
  await using p = here()
  const { ready } = await p.sandbox('--ephemeral')
  const { baseUrl, production, partners } = ready
  expect(production).toEqual({ baseUrl: `${baseUrl}/production`, paymentUrl: `${baseUrl}/production/pay` })
  const add = async (name: string, keys: { apiKey: string; publicKey: string }) => {
    const file = join(p.dir, `${name}.key`)
    writeFileSync(file, keys.apiKey, { mode: 0o600 })
    const line = `profiles add ${name} --environment production --base-url ${production.baseUrl} --payment-url ${production.paymentUrl} --public-key ${keys.publicKey} --entity-id ${partners[0].entityId} --api-key-file ${file}`
    expect(await p.run(line)).toMatchObject({ code: 0 })
  }
  await add('live', partners[0].production)
  const line = 'evaluate --rut 11222333-9 --amount 250000 --trx order-1 --no-input --json'
  expect(await p.run(`${line} -p live`)).toMatchObject({ code: 2 })
  expect(await p.run(`${line} -p live --yes`)).toMatchObject({ code: 0 })
  await add('mixed-up', partners[0])
  const refused = await p.run(`${line} -p mixed-up --yes`)
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain('this API key is for beta')
})
