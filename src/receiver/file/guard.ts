import { join } from 'node:path'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import type { Notice } from '../../disk/private.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { Commits } from './commits.ts'
import { type FileInbox, putBack } from './inbox.ts'

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
