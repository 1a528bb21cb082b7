import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { BnplError, type ErrorKind } from '../../errors.ts'
import { type FileInbox, openInbox } from './inbox.ts'

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

/** The methods of the inbox that its thread runs. Each call is one message, and so is its answer. */
const METHODS = [
  'claim',
  'emittable',
  'emittedUpTo',
  'waitingDestinations',
  'waiting',
  'backlog',
  'find',
  'confirm',
  'prune',
  'ownDestination',
  'setOwnDestination',
  'lastListener',
  'setLastListener',
  'checkpoint',
  'keepClaim',
  'save',
  'close',
] as const satisfies readonly (keyof FileInbox)[]

export type Method = (typeof METHODS)[number]

/** Returns the methods of the thread's inbox. Each of them calls `send`. */
export const inThread = (send: (method: Method, args: unknown[]) => Promise<unknown>): Pick<FileInbox, Method> =>
  Object.fromEntries(METHODS.map((method) => [method, (...args: unknown[]) => send(method, args)])) as never

export interface InboxCall {
  id: number
  method: Method
  args: unknown[]
}

export type InboxAnswer =
  | { id: number; result: unknown }
  | { id: number; failure: { kind?: ErrorKind; message: string; code?: string; hint?: string } }
  | { notice: string }

/** Converts an error into a form that can be posted between threads. */
export function failureToPost(error: unknown): Extract<InboxAnswer, { failure: unknown }>['failure'] {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof BnplError)) return { message }
  const { kind, code, hint } = error
  return { kind, message, ...(code === undefined ? {} : { code }), ...(hint === undefined ? {} : { hint }) }
}

/** Converts the posted form of an error back into an error. */
export function errorFromPost({ kind, message, code, hint }: ReturnType<typeof failureToPost>): Error {
  if (kind === undefined) return new Error(message)
  return new BnplError(kind, message, {
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
  })
}
