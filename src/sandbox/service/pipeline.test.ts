import { expect, test } from 'vitest'
import { sandboxKit } from '../../../test/kit/sandbox-kit.ts'

/** Makes a sandbox with a paid transaction T1, and collects the failures that no caller sees. */
async function paidKit() {
  const faults: unknown[] = []
  const kit = await sandboxKit({ onError: (error) => faults.push(error) })
  await kit.evaluate('T1')
  await kit.control('pay', { externalTrxId: 'T1' })
  const verifiedAt = async () => kit.store.db.all<any>('select verifiedAt from loans')[0]?.verifiedAt
  return { ...kit, faults, verifiedAt }
}

test('the log of a call whose answer was lost contains the partner and the fault', async () => {
  await using kit = await paidKit()
  await kit.control('faultAdd', { endpoint: 'verifyLoan', cut: true })
  await expect(kit.verify('T1')).rejects.toMatchObject({ kind: 'reset' })
  await kit.control('faultAdd', { endpoint: 'verifyLoan', cut: true, before: true })
  await expect(kit.verify('T1')).rejects.toMatchObject({ kind: 'reset' })
  // The first call was lost before the sandbox read its key, so its partner is not known.
  expect((await kit.control('requests', { limit: 2 })).data).toMatchObject([
    { status: 0, partner: null, fault: { before: true } },
    { status: 0, partner: kit.bnpl.name, fault: { before: false } },
  ])
})

test('a loan is marked as verified only when the answer of the handler was sent completely', async () => {
  await using kit = await paidKit()
  await kit.control('faultAdd', { endpoint: 'verifyLoan', truncate: 10 })
  await expect(kit.verify('T1')).rejects.toMatchObject({ kind: 'reset' })
  await kit.control('faultAdd', { endpoint: 'verifyLoan', status: 503 })
  expect(await kit.verify('T1')).toMatchObject({ status: 503 })
  expect(await kit.verify('T2')).toMatchObject({ status: 404 })
  expect(await kit.verifiedAt()).toBeNull()
  expect(await kit.verify('T1')).toMatchObject({ status: 200 })
  expect(await kit.verifiedAt()).toEqual(expect.any(String))
})

test('with a read-only database, reads are answered and their failed log writes are reported, and writes throw', async () => {
  await using kit = await paidKit()
  kit.store.db.run('pragma query_only = on')
  expect(await kit.verify('T1')).toMatchObject({ status: 200 })
  // The two failures are the time of the verification and the log of the request, which could not be stored.
  expect(kit.faults.map((error) => kit.store.failure(error))).toMatchObject([
    { code: 'STATE_READ_ONLY' },
    { code: 'STATE_READ_ONLY' },
  ])
  await expect(kit.startWidget('T2')).rejects.toMatchObject({ code: 'STATE_READ_ONLY' })
})

test('the link of a report refuses an API key, and a wrong method is refused before the key is checked', async () => {
  await using kit = await paidKit()
  expect(await kit.send('GET', '/partner/informe/x.y')).toMatchObject({
    status: 400,
    code: 'ERR_API_TOKEN_NOT_ACCEPTED',
  })
  expect(await kit.send('GET', '/partner/informe/x.y', { key: null })).toMatchObject({ status: 404 })
  expect(await kit.send('POST', '/partner/informe/x.y')).toMatchObject({ status: 405, headers: { allow: 'GET' } })
})
