import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createMaintenance } from '../../src/sandbox/server/serve.ts'
import { isDatabaseFailure } from '../../src/sandbox/service/refusal.ts'
import { fileVersion } from '../../src/sandbox/store/sqlite.ts'
import { realClock } from '../kit/harness.ts'
import { sandboxKit } from '../kit/sandbox-kit.ts'

/** Returns a sandbox with its state in a file, as it is served. Only the test runs its timers. */
async function kept() {
  const kit = await sandboxKit({ clock: realClock })
  onTestFinished(() => kit[Symbol.asyncDispose]())
  const faults: any[] = []
  let recoveries = 0
  const maintenance = createMaintenance(
    kit.store,
    { onError: (error) => faults.push(error), onRecovery: () => recoveries++ },
    () => kit.sandbox,
  )
  const call = async (method: string, path: string, form?: Record<string, string>) => {
    const headers = { authorization: `Bearer ${kit.bnpl.apiKey}`, 'content-type': 'application/x-www-form-urlencoded' }
    const body = Buffer.from(new URLSearchParams(form).toString())
    const url = `http://127.0.0.1:4555${path}`
    const answer = await maintenance.transport({ method, url, headers, body, timeoutMs: 1e4, maxBytes: 1e6 })
    return {
      status: answer.status,
      retryAfter: answer.headers['retry-after'],
      text: new TextDecoder().decode(answer.body),
    }
  }
  let count = 0
  return {
    kit,
    maintenance,
    faults,
    recoveries: () => recoveries,
    read: () => call('GET', '/partner/webhook'),
    write: () =>
      call('POST', '/partner/pre-loan-request/bnpl', {
        idNumber: '11222333-9',
        amount: '250000',
        entityId: kit.bnpl.entityId,
        externalTrxId: `T${count++}`,
      }),
  }
}

const REFUSED = { status: 503, retryAfter: '1', text: expect.stringContaining('ERR_SANDBOX_DATABASE') }

test.each([
  ['read-only', 'STATE_READ_ONLY', 'pragma query_only = on', 'pragma query_only = off'],
  ['full', 'STATE_FULL', 'pragma max_page_count = 1', 'pragma max_page_count = 1000000'],
])(
  'a file that is %s: writes are answered 503, reads work, and each trouble is reported once [database 6]',
  async (_, code, spoil, mend) => {
    const { kit, maintenance, faults, recoveries, read, write } = await kept()
    expect(await write()).toMatchObject({ status: 200 })
    await maintenance.tick()
    kit.store.db.get(spoil)
    // A full disk may still have room for a few small writes.
    while ((await write()).status === 200);
    for (let i = 0; i < 5; i++) {
      expect(await write()).toMatchObject(REFUSED)
      expect(await read()).toMatchObject({ status: 200 })
      await maintenance.tick()
    }
    expect(faults).toMatchObject([{ code }])
    expect(recoveries()).toBe(0)
    kit.store.db.get(mend)
    await maintenance.tick()
    await maintenance.tick()
    expect(await write()).toMatchObject({ status: 200 })
    expect([faults.length, recoveries()]).toEqual([1, 1])
  },
)

test('a removed file: every call is 503 with the reason, and the loss is reported once [row 114]', async () => {
  const { kit, maintenance, faults, read, write } = await kept()
  expect(await write()).toMatchObject({ status: 200 })
  rmSync(kit.store.file ?? '')
  for (let i = 0; i < 3; i++) {
    expect(await write()).toMatchObject({ status: 503, text: expect.stringContaining('was removed or renamed') })
    expect(await read()).toMatchObject(REFUSED)
    await maintenance.tick()
  }
  expect(faults).toMatchObject([
    {
      code: 'STATE_LOST',
      message: 'sandbox.db was removed or renamed while the sandbox ran. No data is saved any more',
    },
  ])
})

test('a disk failure and a long lock count as trouble of the file, an internal fault does not [database 6]', async () => {
  const { kit } = await kept()
  const refused = (errcode: number) => kit.store.failure(Object.assign(new Error('refused'), { errcode }))
  // READONLY, BUSY, IOERR_WRITE, FULL and CORRUPT are trouble with the file. A mistake in a statement or in a row is not.
  expect([8, 5, 778, 13, 11].map((code) => isDatabaseFailure(refused(code)))).toEqual([true, true, true, true, true])
  expect([1, 19].map((code) => isDatabaseFailure(refused(code)))).toEqual([false, false])
})

test('after a newer bnpl changes the tables, calls are answered 503 until the version is known again [database 8]', async () => {
  const { kit, maintenance, faults, recoveries, read } = await kept()
  await maintenance.tick()
  const before = fileVersion(kit.store.db)
  const setVersion = (version: number) => kit.store.db.run(`pragma user_version = ${version}`)
  setVersion(999)
  for (let i = 0; i < 20; i++) await maintenance.tick()
  expect(await read()).toMatchObject({ ...REFUSED, text: expect.stringContaining('newer bnpl') })
  expect(faults).toMatchObject([{ code: 'STATE_NEWER', hint: expect.stringContaining('newer version') }])
  setVersion(before)
  for (let i = 0; i < 20; i++) await maintenance.tick()
  expect(await read()).toMatchObject({ status: 200 })
  expect(recoveries()).toBe(1)
})
