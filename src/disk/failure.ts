import { BnplError, codeOf } from '../errors.ts'
import { roomInWords } from './room.ts'

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Turns an error of the file system into a `BnplError`: `output` when the disk is full, otherwise `config`.
 * @param what the beginning of the message: which action failed, with the path
 */
export function diskFailure(what: string, cause: unknown): BnplError {
  if (cause instanceof BnplError) return cause
  const code = codeOf(cause) ?? 'unknown cause'
  return NO_ROOM.has(code)
    ? new BnplError('output', `${what}: the disk is full`, { code, cause, hint: noRoomHint(cause) })
    : new BnplError('config', `${what} (${code})`, {
        code: 'DISK',
        cause,
        hint: HINTS[code] ?? 'Check the path and its permissions.',
      })
}

function noRoomHint(cause: unknown): string {
  const path = cause instanceof Error && 'path' in cause ? cause.path : undefined
  return `Make room on that disk${typeof path === 'string' ? roomInWords(path) : ''}, then run the command again.`
}

const HINTS: Record<string, string> = {
  EACCES: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EPERM: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EROFS: 'Name another folder with BNPL_CONFIG_DIR and BNPL_STATE_DIR, because this file system is read-only.',
  ENOENT: 'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.',
  ENOTDIR: 'Correct the path. A part of it is a file, not a folder.',
}
