import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openInbox } from '../../src/receiver/file/inbox.ts'
import type { LastListener } from '../../src/receiver/inbox.ts'
import { here } from '../kit/here.ts'
import { pasted } from '../kit/pasted.ts'
import { createDatabase } from '../kit/postgres.ts'
import { until as untilOf } from '../kit/program.ts'
import { startHandler } from './handler.ts'
import { arrival, batch } from './inbox-kit.ts'
import { cleanUp, deliver, folder, type ListenerOptions, SECRET, startHere, until } from './listener.ts'

/** A listener does not forward or print events that the inbox received for the other kind of account. */

let closers: (() => Promise<unknown>)[]
let ofSandbox: Awaited<ReturnType<typeof startHandler>>
let ofService: Awaited<ReturnType<typeof startHandler>>
beforeEach(async () => {
  ofSandbox = await startHandler()
  ofService = await startHandler()
  closers = [ofSandbox.stop, ofService.stop]
})
afterEach(async () => {
  await cleanUp()
  for (const close of closers) await close()
})

/** Runs a listener that is expected not to start. */
async function refused(options: ListenerOptions) {
  const listener = await startHere({ ...options, args: [...(options.args ?? []), '--json'], unready: true })
  const code = await listener.end()
  const [json] = /^\{"error":.*/m.exec(listener.stderr()) ?? []
  expect(json, listener.stderr()).toBeDefined()
  return { code, error: JSON.parse(String(json)).error }
}

const inSandbox = () => ['-p', 'sandbox', '--forward-to', ofSandbox.url]
const inService = () => ['--forward-to', ofService.url]

/** A new folder whose inbox has an event that no listener has forwarded, from a listener with the given options. */
async function leftWaiting(args: string[], env: Record<string, string> = {}): Promise<string> {
  const listener = await startHere({ args, env })
  await deliver(listener)
  await until(() => listener.stderr().includes('is not available'))
  await listener.end('SIGINT')
  return listener.dir
}

test('a lead of the sandbox is not forwarded to the handler of a real account, and the commands of the hint help', async () => {
  await using p = here()
  const ready = (name: string) => join(p.dir, name)
  await ofSandbox.stop()
  const line = `webhooks listen -p sandbox:real-estate --port 0 --forward-to ${ofSandbox.url} --ready-file ${ready('1')}`
  const first = p.start(line)
  await untilOf(() => existsSync(ready('1')), first)
  expect(await p.run('sandbox lead')).toMatchObject({ code: 0 })
  await untilOf(() => first.stderr().includes('is not available'), first)
  first.child.kill('SIGINT')
  await first.ended

  const real = `webhooks listen --port 0 --forward-to ${ofService.url} --ready-file`
  const env = { BNPL_WEBHOOK_SECRET: SECRET }
  const { code, stderr } = await p.run(`${real} ${ready('2')}`, env)
  expect(stderr).toMatch(
    /^error: this inbox still has 1 event of the sandbox that waits to be forwarded, and this listener is for a real account\n/,
  )
  expect([code, existsSync(ready('2'))]).toEqual([3, false])

  const folderLine = /export BNPL_STATE_DIR=.*/.exec(stderr)?.[0]
  const [elsewhere = ''] = pasted(`${folderLine}; bnpl "$BNPL_STATE_DIR"`)
  const apart = p.start(`${real} ${ready('3')}`, { ...env, BNPL_STATE_DIR: elsewhere })
  await untilOf(() => existsSync(ready('3')), apart)
  apart.child.kill('SIGINT')
  await apart.ended

  await ofSandbox.start()
  const finishing = p.start(pasted(String(/bnpl webhooks listen .*/.exec(stderr)?.[0])))
  await untilOf(() => ofSandbox.handled.length === 1, finishing)
  finishing.child.kill('SIGINT')
  await finishing.ended
  const last = p.start(`${real} ${ready('4')}`, env)
  await untilOf(() => existsSync(ready('4')), last)
  expect([ofSandbox.handled.length, ofService.handled.length]).toEqual([1, 0])
})

describe.each(['a file', 'PostgreSQL'])('in an inbox in %s', (place) => {
  let env: Record<string, string>
  beforeEach(async () => {
    env = {}
    if (place === 'a file') return
    const database = await createDatabase()
    closers.push(async () => database[Symbol.asyncDispose]())
    env = { BNPL_DATABASE: database.url }
  })

  test('an event of a real account is not for the sandbox: its listener is refused before it binds its port, and the real account continues', async () => {
    await ofService.stop()
    const dir = await leftWaiting(inService(), env)
    const taken = new URL(ofSandbox.url).port
    expect(await refused({ dir, env, args: [...inSandbox(), '--port', taken] })).toMatchObject({
      code: 3,
      error: {
        code: 'EVENTS_OF_A_SERVICE',
        message:
          'this inbox still has 1 event of a real account that waits to be forwarded, and this listener is for the sandbox',
        hint: expect.stringContaining(`bnpl webhooks listen --forward-to ${ofService.url} --port ${taken}\n`),
      },
    })
    await ofService.start()
    await startHere({ dir, env, args: inService() })
    await until(() => ofService.handled.length === 1)
    expect(ofSandbox.handled).toEqual([])
  })

  test('if no event waits, a listener for the other account starts, and later its own events are kept from the first one', async () => {
    const first = await startHere({ args: inSandbox(), env })
    await deliver(first)
    await until(() => ofSandbox.handled.length === 1)
    await first.end('SIGINT')
    await ofService.stop()
    const second = await startHere({ dir: first.dir, env, args: inService() })
    await deliver(second, { eventId: 'e2' })
    await until(() => second.stderr().includes('is not available'))
    await second.end('SIGINT')
    expect(await refused({ dir: first.dir, env, args: inSandbox() })).toMatchObject({
      code: 3,
      error: { code: 'EVENTS_OF_A_SERVICE' },
    })
  })
})

test('waiting events also refuse a listener without --forward-to, and an address with a query is not shown', async () => {
  await ofSandbox.stop()
  const dir = await leftWaiting(['-p', 'sandbox', '--forward-to', `${ofSandbox.url}?token=canary`])
  const { code, error } = await refused({ dir })
  expect([code, error.code]).toEqual([3, 'EVENTS_OF_THE_SANDBOX'])
  expect(error.hint).toContain('bnpl webhooks listen -p sandbox --forward-to URL --port 0\n')
  expect(JSON.stringify(error)).not.toContain('canary')
})

/** A new folder whose inbox has events that were never printed. */
async function unprinted(count: number, account: LastListener | undefined, forward = false): Promise<string> {
  const dir = folder()
  const inbox = await openInbox(join(dir, 'state'))
  await inbox.commit(batch(Array.from({ length: count }, (_, i) => arrival(`e${i}`, { forward }))))
  if (account) await inbox.setLastListener(account)
  await inbox.close()
  return dir
}

test.each([
  [2, '2 events of the sandbox that wait to be printed'],
  [60, '50 events or more of the sandbox that wait to be printed'],
])(
  '%i events that wait to be printed refuse a listener that prints, and not one with --no-print',
  async (count, words) => {
    const dir = await unprinted(count, { kind: 'sandbox', profile: 'sandbox' })
    const { code, error } = await refused({ dir, args: inService() })
    expect([code, error.code]).toEqual([3, 'EVENTS_OF_THE_SANDBOX'])
    expect(error.message).toContain(`this inbox still has ${words}, and`)
    expect(error.hint).toContain('bnpl webhooks listen -p sandbox --port 0\n')
    const listener = await startHere({ dir, args: [...inService(), '--no-print'] })
    expect([await listener.end('SIGINT'), listener.stdout()]).toEqual([130, ''])
  },
)

test('an inbox of an earlier version names no account, so the next listener continues it, whatever its account', async () => {
  const dir = await unprinted(1, undefined, true)
  const listener = await startHere({ dir, args: inService() })
  await until(() => ofService.handled.length === 1 && listener.events().length === 1)
})
