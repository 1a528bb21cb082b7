import { BnplError, codeOf } from '../errors.ts'
import { adviceForRoom, NO_ROOM } from './room.ts'

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
    : new BnplError('output', `${what}: ${noRoom}`, {
        code,
        cause,
        hint: `${adviceForRoom(code, pathIn(cause))}, then run the command again.`,
      })
}

function pathIn(cause: unknown): string | undefined {
  return cause instanceof Error && 'path' in cause && typeof cause.path === 'string' ? cause.path : undefined
}

const HINTS: Record<string, string> = {
  EACCES: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EPERM: 'Check the owner and the mode, because you have no permission for this file or folder.',
  EROFS:
    'Choose another folder, because this file system is read-only. BNPL_CONFIG_DIR and BNPL_STATE_DIR set the folders of bnpl.',
  ENOENT: 'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.',
  ENOTDIR: 'Correct the path. A part of it is a file, not a folder.',
}
