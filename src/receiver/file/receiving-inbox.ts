import { Worker } from 'node:worker_threads'
import type { Notice } from '../../disk/private.ts'
import type { Inbox } from '../inbox.ts'
import { type Commits, openCommits, type SyncFile, syncData } from './commits.ts'
import { createInboxGuard } from './guard.ts'
import { unshared } from './inbox.ts'
import { errorFromPost, type InboxAnswer, type InboxCall, inThread, type Method } from './inbox-worker.ts'

/**
 * Opens the inbox of a receiver. Deliveries are written in this thread and synced in a thread of the pool. A worker thread does all other
 * work, so that a slow disk or a locked file delays only acknowledgements. Throws the same errors as `openInbox`.
 */
export async function openInboxThread(stateDir: string, notice: Notice, syncFile: SyncFile = syncData): Promise<Inbox> {
  const worker = new Worker(workerUrl(), { workerData: stateDir })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let calls = 0
  let gone: unknown
  const fail = (error: unknown): void => {
    gone = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('message', (answer: InboxAnswer) => {
    if ('notice' in answer) return notice(answer.notice)
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('failure' in answer) call?.reject(errorFromPost(answer.failure))
    else call?.resolve(answer.result)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(gone ?? new Error('the thread of the inbox has ended')))

  const send = (method: Method, args: unknown[]): Promise<unknown> => {
    if (gone !== undefined) return Promise.reject(gone)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const call: InboxCall = { id: calls++, method, args }
    waiting.set(call.id, { resolve, reject })
    worker.postMessage(call)
    return promise
  }
  const thread = inThread(send)
  const guard = createInboxGuard(stateDir, thread, notice)
  const inboxOf = (commits: Commits): Inbox => ({
    ...unshared,
    ...thread,
    commit: commits.commit,
    probe: commits.probe,
    emittable: async (...range) => commits.durable(await thread.emittable(...range)),
    waiting: async (...range) => commits.durable(await thread.waiting(...range)),
    async close() {
      guard.stop()
      if (gone === undefined) await thread.close()
      await worker.terminate()
      await commits.close()
    },
  })
  try {
    // Wait until the worker has brought the tables up to date.
    await thread.emittedUpTo()
    const { lost } = guard
    const commits = await openCommits({ stateDir, notice, checkpoint: thread.checkpoint, syncFile, lost })
    guard.watch(commits)
    return inboxOf(commits)
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

function workerUrl(): URL {
  const here = import.meta.url
  return new URL(here.endsWith('.ts') ? './inbox-worker.ts' : './inbox-worker.cjs', here)
}
