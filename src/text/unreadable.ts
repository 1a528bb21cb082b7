const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
}

/** Returns the reason why a file cannot be read, for a code of the system's error. A code without a known reason is returned unchanged. */
export const whyUnreadable = (code = 'EIO'): string => WHY[code] ?? code
