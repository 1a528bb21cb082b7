import { BnplError, codeOf } from '../errors.ts'
import { roomInWords } from './room.ts'

const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file of this size is not allowed here',
}

/**
 * Turns an error of the file system into a `BnplError`: `output` when there is no room for the file, otherwise `config`.
 * @param what the beginning of the message: which action failed, with the path
 */
export function diskFailure(what: string, cause: unknown): BnplError {
  if (cause instanceof BnplError) return cause
  const code = codeOf(cause) ?? 'unknown cause'
  const noRoom = NO_ROOM[code]
  return noRoom === undefined
    ? new BnplError('config', `${what} (${code})`, {
        code: 'DISK',
        cause,
        hint: HINTS[code] ?? 'Check the path and its permissions.',
      })
    : new BnplError('output', `${what}: ${noRoom}`, { code, cause, hint: noRoomHint(code, cause) })
}

function noRoomHint(code: string, cause: unknown): string {
  if (code === 'EFBIG') return 'Raise the limit for the size of a file (ulimit -f), then run the command again.'
  const path = cause instanceof Error && 'path' in cause ? cause.path : undefined
  return `Make room on that disk${typeof path === 'string' ? roomInWords(path) : ''}, then run the command again.`
}

const HINTS: Record<string, string> = {
  EACCES: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EPERM: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EROFS:
    'Choose another folder, because this file system is read-only. BNPL_CONFIG_DIR and BNPL_STATE_DIR set the folders of bnpl.',
  ENOENT: 'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.',
  ENOTDIR: 'Correct the path. A part of it is a file, not a folder.',
}
