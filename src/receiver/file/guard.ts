import { join } from 'node:path'
import { KEPT_FILES } from '../../disk/kept-files.ts'
import type { Notice } from '../../disk/private.ts'
import { BnplError, tellable } from '../../errors.ts'
import type { Commits } from './commits.ts'
import type { FileInbox } from './inbox.ts'
import { putBack } from './saved-inbox.ts'

/** Milliseconds between two looks at the files of an inbox into which nothing is delivered. */
const LOOK_EVERY_MS = 1000

/** Watches the files of an inbox while a receiver has it, and reports once what happened to them. */
interface InboxGuard {
  /** A file of it was removed: saves everything that the open files still hold. @param what begins a sentence: `inbox.db was removed` */
  lost(what: string): void
  /** Looks every second from now on, so that a loss is found without a delivery. */
  watch(commits: Pick<Commits, 'look' | 'fail'>): void
  stop(): void
}

/** @param inbox the thread that has the inbox */
export function createInboxGuard(
  stateDir: string,
  inbox: Pick<FileInbox, 'keepClaim' | 'save'>,
  notice: Notice,
): InboxGuard {
  let timer: NodeJS.Timeout | undefined
  /** True while it waits, perhaps for another receiver to write its name down. */
  let keeping = false
  const stop = () => clearInterval(timer)
  const alarm = (what: string, then: string) =>
    notice(`${what} while this receiver ran: NOTHING IS ACKNOWLEDGED ANY MORE (503). ${then}`)
  const path = join(stateDir, KEPT_FILES.inbox.name)
  return {
    lost(what) {
      stop()
      inbox.save().then(
        (saved) =>
          alarm(
            what,
            `Everything acknowledged before is saved in ${saved}. Stop it, run: ${putBack(saved, path)}; then start it again.`,
          ),
        (error: unknown) =>
          alarm(
            what,
            `The events it acknowledged last could not be saved: ${tellable(error)}. Stop it, and start it again.`,
          ),
      )
    },
    watch({ look, fail }) {
      const taken = (error: unknown): void => {
        if (!(error instanceof BnplError)) return
        stop()
        fail(error)
        alarm(`${KEPT_FILES.inboxLock.name} was taken away`, `${error.message}.`)
      }
      timer = setInterval(() => {
        try {
          look()
        } catch {
          // Every delivery is answered with the same error.
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
