import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SPECIFICATION } from '../../contract/description.ts'
import { controlProof } from '../service/access.ts'
import { announce, isAnswering, type RunningSandbox, readRunning } from './running.ts'
import { startTransportServer, type TransportServer } from './transport-server.ts'

let dir: string
const open: TransportServer[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-running-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  rmSync(dir, { recursive: true })
})

/** Starts a server that knows one control token. */
async function sandbox(controlToken: string, pid = 4711): Promise<RunningSandbox> {
  const server = await startTransportServer({ host: '127.0.0.1', port: 0, onError() {} })
  open.push(server)
  const { baseUrl } = server
  server.answerWith(async ({ url, body }) => {
    const { nonce } = JSON.parse(new TextDecoder().decode(body))
    const data = { proof: url.endsWith('/_sandbox/hello') ? controlProof(controlToken, baseUrl, nonce) : '' }
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ data })) }
  })
  return {
    pid,
    processMark: null,
    baseUrl,
    paymentUrl: baseUrl,
    windowUrl: baseUrl,
    controlToken,
    startedAt: '',
    dataFile: null,
    description: SPECIFICATION,
  }
}

test('other processes find the record, only its owner can read it, and it is removed with its sandbox', async () => {
  const running = await sandbox('token-1')
  const withdraw = await announce(join(dir, 'state'), running)
  expect(await readRunning(join(dir, 'state'))).toEqual(running)
  expect(statSync(join(dir, 'state', 'sandbox-running.json')).mode & 0o777).toBe(0o600)
  expect(await isAnswering(running)).toBe(true)
  await withdraw()
  expect(readdirSync(join(dir, 'state'))).toEqual([])
})

test('a second sandbox on the same state folder is refused with the pid of the first', async () => {
  const first = await sandbox('token-1', 12345)
  await announce(dir, first)
  await expect(announce(dir, await sandbox('token-2'))).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining('pid 12345'),
  })
  expect(await readRunning(dir)).toEqual(first)
  expect(readdirSync(dir)).toHaveLength(1)
})

test('of many sandboxes that start at once, exactly one gets the state folder', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, (_, i) => sandbox(`token-${i}`)))
  const ends = await Promise.allSettled(all.map((each) => announce(dir, each)))
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const winner = all[ends.findIndex(({ status }) => status === 'fulfilled')]
  expect(await readRunning(dir)).toEqual(winner)
})

test('the record of a killed sandbox is replaced, even when another program now has its port', async () => {
  const killed = await sandbox('token-1')
  await announce(dir, killed)
  await open.pop()?.close()
  expect(await isAnswering(killed)).toBe(false)
  const second = await sandbox('token-2')
  await announce(dir, { ...second, controlToken: 'of an earlier one' })
  expect(await readRunning(dir)).toMatchObject({ baseUrl: second.baseUrl })
  const third = await sandbox('token-3')
  await announce(dir, third)
  expect(await readRunning(dir)).toEqual(third)
})

test('a sandbox does not remove the record of its successor', async () => {
  const withdraw = await announce(dir, await sandbox('token-1'))
  await open.pop()?.close()
  const second = await sandbox('token-2')
  await announce(dir, second)
  await withdraw()
  expect(await readRunning(dir)).toEqual(second)
})

test.each(['', '{', 'null', '[]', '{"pid":1}', '{"pid":"1","baseUrl":"file:///etc/passwd"}'])(
  'a file that is not a record (%j) is ignored and replaced',
  async (content) => {
    writeFileSync(join(dir, 'sandbox-running.json'), content)
    expect(await readRunning(dir)).toBeUndefined()
    const running = await sandbox('token-1')
    await announce(dir, running)
    expect(await readRunning(dir)).toEqual(running)
  },
)

test('a state folder that cannot be made is a configuration error', async () => {
  writeFileSync(join(dir, 'file'), '')
  await expect(announce(join(dir, 'file', 'state'), await sandbox('token-1'))).rejects.toMatchObject({
    kind: 'config',
    hint: expect.stringContaining('BNPL_STATE_DIR'),
  })
})
