import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type FileInbox, openInbox } from './inbox.ts'
import { failureToPost, type InboxAnswer, type InboxCall } from './thread-messages.ts'

// Tests import this file in other threads, which must not serve the inbox.
if (parentPort && typeof workerData === 'string') serveInbox(parentPort, workerData)

/** Opens the inbox of a state folder, and answers every call that arrives at a port. */
export function serveInbox(port: MessagePort, stateDir: string): void {
  const say = (answer: InboxAnswer) => port.postMessage(answer)
  const opened = openInbox(stateDir, (notice) => say({ notice }))
  // If `openInbox` fails, every call is answered with its error. Without this line, the error would end the thread before the first call.
  opened.catch(() => {})
  port.on('message', (call: InboxCall) => {
    answer(opened, call).then(
      (result) => say({ id: call.id, result }),
      (error: unknown) => say({ id: call.id, failure: failureToPost(error) }),
    )
  })
}

async function answer(opened: Promise<FileInbox>, { method, args }: InboxCall): Promise<unknown> {
  const inbox = await opened
  return (inbox[method] as (...given: unknown[]) => Promise<unknown>)(...args)
}
