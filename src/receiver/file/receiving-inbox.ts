import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import type { Notice } from '../../disk/private.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { Inbox } from '../inbox.ts'
import { type Commits, openCommits, type SyncFile, syncData } from './commits.ts'
import { type FileInbox, putBack, unshared } from './inbox.ts'
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
  try {
    // Wait until the worker has brought the tables up to date.
    await thread.emittedUpTo()
    const commits = await openCommits({ stateDir, notice, checkpoint: thread.checkpoint, syncFile, lost: guard.lost })
    guard.watch(commits)
    return {
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
    }
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

function workerUrl(): URL {
  const here = import.meta.url
  return new URL(here.endsWith('.ts') ? './inbox-worker.ts' : './inbox-worker.cjs', here)
}

const LOOK_EVERY_MS = 1000
const SAVE_AGAIN_MS = 10_000

interface InboxGuard {
  /** Saves all data that the open files still contain, after a file of the inbox was lost. */
  lost(what: string): void
  /** Checks the files every second, so that a loss is also found when no delivery arrives. */
  watch(commits: Pick<Commits, 'look' | 'fail'>): void
  stop(): void
}

/**
 * Watches the files of an inbox while deliveries are received, and reports the first loss.
 * @param inbox the inbox of the worker thread
 */
export function createInboxGuard(
  stateDir: string,
  inbox: Pick<FileInbox, 'keepClaim' | 'save'>,
  notice: Notice,
): InboxGuard {
  let timer: NodeJS.Timeout | undefined
  let keeping = false
  const stop = () => clearInterval(timer)
  const alarm = (what: string, then: string) =>
    notice(`${what} while this receiver ran: NO DELIVERY IS ACKNOWLEDGED ANY MORE (503). ${then}`)
  const path = join(stateDir, KEPT_FILES.inbox.name)
  return {
    lost(what) {
      stop()
      const put = (saved: string) =>
        `Stop the receiver, put this file back, and start the receiver again. To put it back, run: ${putBack(saved, path)}`
      let isReported = false
      const save = (): Promise<void> =>
        inbox.save().then(
          (saved) =>
            isReported
              ? notice(`All acknowledged events are now saved in ${saved}. ${put(saved)}`)
              : alarm(what, `All acknowledged events are saved in ${saved}. ${put(saved)}`),
          (error: unknown) => {
            // A damaged inbox cannot be copied later either. In any other case, a later copy may succeed, and until then the open files may be
            // the only copy of the events.
            const isFinal = error instanceof BnplError && error.code === 'STATE_DAMAGED'
            const next = isFinal
              ? 'Stop the receiver and start it again.'
              : `Do not stop this receiver, because only its open files still contain these events. It tries again every ${SAVE_AGAIN_MS / 1000} s, and reports when the events are saved.`
            if (!isReported) alarm(what, `The acknowledged events could not be saved: ${tellable(error)}. ${next}`)
            isReported = true
            if (!isFinal) timer = setTimeout(save, SAVE_AGAIN_MS).unref()
          },
        )
      void save()
    },
    watch({ look, fail }) {
      const taken = (error: unknown): void => {
        if (!(error instanceof BnplError)) return
        stop()
        fail(error)
        alarm(
          `${KEPT_FILES.inboxLock.name} was removed or renamed`,
          `The inbox could not be claimed again: ${error.message}. Stop this receiver.`,
        )
      }
      timer = setInterval(() => {
        try {
          look()
        } catch {
          // `look` has already reported the failure.
          return stop()
        }
        if (keeping) return
        keeping = true
        inbox
          .keepClaim()
          .catch(taken)
          .finally(() => {
            keeping = false
          })
      }, LOOK_EVERY_MS).unref()
    },
    stop,
  }
}
