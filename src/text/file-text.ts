import { isUtf8 } from 'node:buffer'

/**
 * Returns the UTF-8 bytes of a text file, without a byte order mark. Also reads UTF-16, in which PowerShell writes files. Returns undefined
 * if the bytes are neither. Bytes that are plain UTF-8 are returned as they are.
 */
export function utf8Of(bytes: Uint8Array): Buffer | undefined {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const order = utf16Order(given)
  if (order !== undefined) {
    if (given.length % 2 !== 0) return undefined
    const text = new TextDecoder(order).decode(given)
    return text.includes('\ufffd') ? undefined : Buffer.from(text)
  }
  if (!isUtf8(given)) return undefined
  return given.subarray(0, 3).equals(UTF8_MARK) ? given.subarray(3) : given
}

const UTF8_MARK = Buffer.from('\ufeff')

/** Returns the byte order of UTF-16 with a byte order mark, or of UTF-16 without one whose first character is ASCII. */
export function utf16Order([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)) return 'utf-16be'
  return undefined
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'another program has it open',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
}

/** Returns in words why a file cannot be read, or the code itself if it is not in the list. @param code such as `EACCES` */
export const whyUnreadable = (code = 'EIO'): string => WHY[code] ?? code
