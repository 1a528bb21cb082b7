import { BnplError, type ErrorKind } from '../../errors.ts'
import type { FileInbox } from './inbox.ts'

export type Method = Exclude<keyof FileInbox, 'shared' | 'watch' | 'take' | 'release' | 'holds' | 'commit' | 'probe'>

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
