import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { BnplError } from '../../errors.ts'
import { errorFromPost, failureToPost, type InboxAnswer, type Method, serveInbox } from './inbox-worker.ts'

/** A folder for an inbox, and the port to which calls are sent. */
function scene(prepare = (_: string) => {}) {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-worker-'))
  prepare(dir)
  const { port1, port2 } = new MessageChannel()
  const answers: InboxAnswer[] = []
  port1.on('message', (answer) => answers.push(answer))
  serveInbox(port2, dir)
  onTestFinished(() => {
    port1.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const ask = async (id: number, method: Method, ...args: unknown[]) => {
    port1.postMessage({ id, method, args })
    await expect.poll(() => answers.some((answer) => 'id' in answer && answer.id === id)).toBe(true)
    return answers.find((answer) => 'id' in answer && answer.id === id)
  }
  return { dir, ask, answers }
}

test('a call is answered under its id with the result of the inbox, and the arguments reach the inbox', async () => {
  const { ask } = scene()
  expect(await ask(7, 'emittedUpTo')).toEqual({ id: 7, result: 0 })
  const destination = { id: 'd1', url: 'https://shop.example/hook' }
  expect(await ask(8, 'setOwnDestination', 'acme', destination)).toEqual({ id: 8, result: undefined })
  expect(await ask(9, 'ownDestination', 'acme')).toEqual({ id: 9, result: destination })
  await ask(10, 'close')
})

test('a call that fails is answered with the failure, and the next call with its result', async () => {
  const { dir, ask } = scene()
  const path = join(dir, 'inbox.owner')
  writeFileSync(path, 'nonsense', { mode: 0o600 })
  expect(await ask(1, 'claim', { pid: 1, address: '' })).toEqual({
    id: 1,
    failure: {
      kind: 'config',
      code: 'OWNER_UNUSABLE',
      message: `${path} should contain the process id of a listener, but it contains other data`,
      hint: `Move that file away: mv ${path} ${path}.old`,
    },
  })
  expect(await ask(2, 'emittedUpTo')).toEqual({ id: 2, result: 0 })
  await ask(3, 'close')
})

test('an inbox that cannot be opened answers every call with the error, and causes no crash before the first call', async () => {
  const { ask } = scene((dir) => writeFileSync(join(dir, 'inbox.db'), 'x'.repeat(5000), { mode: 0o600 }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  for (const id of [1, 2]) expect(await ask(id, 'emittedUpTo')).toMatchObject({ id, failure: { kind: 'config' } })
})

test('a repair on opening is reported as a notice', async () => {
  const { dir, ask, answers } = scene((folder) => chmodSync(folder, 0o755))
  await ask(1, 'close')
  expect(answers).toContainEqual({ notice: `${dir} was open to other users (mode 0755); its mode is 0700 now` })
})

/** The error that arrives when an error is sent in a message between two threads. */
const posted = (error: unknown) => errorFromPost(structuredClone(failureToPost(error)))

test('a BnplError keeps its kind, code, message and hint in a message between threads', () => {
  const whole = new BnplError('output', 'no room', { code: 'DISK_FULL', hint: 'Make room.' })
  expect(posted(whole)).toBeInstanceOf(BnplError)
  expect(posted(whole)).toMatchObject({ kind: 'output', message: 'no room', code: 'DISK_FULL', hint: 'Make room.' })
  const bare = posted(new BnplError('config', 'no')) as BnplError
  expect([bare.kind, bare.message, bare.code, bare.hint]).toEqual(['config', 'no', undefined, undefined])
  expect(failureToPost(new BnplError('config', 'no'))).toStrictEqual({ kind: 'config', message: 'no' })
})

test('any other error arrives as a plain error with the same message', () => {
  for (const [error, message] of [
    [new TypeError('a fault'), 'a fault'],
    ['a text', 'a text'],
  ] as const) {
    const arrived = posted(error)
    expect(arrived).not.toBeInstanceOf(BnplError)
    expect(arrived).toMatchObject({ message })
    expect(failureToPost(error)).toStrictEqual({ message })
  }
})
