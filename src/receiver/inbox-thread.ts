import { Worker } from 'node:worker_threads'
import type { Notice } from '../disk/private.ts'
import type { Batch, Inbox } from './inbox.ts'
import { unshared } from './inbox-sqlite.ts'
import { type Answer, type Call, errorOf, type Method, pack, unpackRecords } from './inbox-wire.ts'

/**
 * The inbox in a thread of its own: a disk that takes its time, or another process that holds the file, delays acknowledgements and
 * nothing else. Throws as `openInbox` does.
 */
export async function openInboxThread(stateDir: string, notice: Notice): Promise<Inbox> {
  const worker = new Worker(workerUrl(), { workerData: stateDir })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let calls = 0
  let gone: unknown
  const fail = (error: unknown): void => {
    gone = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('message', (answer: Answer) => {
    if ('notice' in answer) return notice(answer.notice)
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('failure' in answer) call?.reject(errorOf(answer.failure))
    else call?.resolve(answer.result)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(gone ?? new Error('the thread of the inbox has ended')))

  const send = (method: Method, args: unknown[], transfer: ArrayBuffer[] = []): Promise<unknown> => {
    if (gone !== undefined) return Promise.reject(gone)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const call: Call = { id: calls++, method, args }
    waiting.set(call.id, { resolve, reject })
    worker.postMessage(call, transfer)
    return promise
  }
  const call =
    <M extends Method>(method: M) =>
    (...args: Parameters<Inbox[M]>) =>
      send(method, args) as ReturnType<Inbox[M]>
  const inbox: Inbox = {
    ...unshared,
    claim: call('claim'),
    async commit(batch: Batch) {
      const packed = pack(batch)
      return unpackRecords((await send('commit', [packed], [packed.bodies])) as string)
    },
    probe: call('probe'),
    emittable: call('emittable'),
    emittedUpTo: call('emittedUpTo'),
    waitingDestinations: call('waitingDestinations'),
    waiting: call('waiting'),
    backlog: call('backlog'),
    find: call('find'),
    prune: call('prune'),
    ownDestination: call('ownDestination'),
    setOwnDestination: call('setOwnDestination'),
    async close() {
      if (gone === undefined) await send('close', [])
      await worker.terminate()
    },
  }
  try {
    await inbox.emittedUpTo()
    return inbox
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

/** Beside this file: a source when this is one, else the entry the build makes of it. */
function workerUrl(): URL {
  const here = import.meta.url
  return new URL(here.endsWith('.ts') ? './inbox-worker.ts' : './inbox-worker.cjs', here)
}
