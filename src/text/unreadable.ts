const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
}

/** Returns in words why a file cannot be read, or the code itself if it is not in the list. @param code such as `EACCES` */
export const whyUnreadable = (code = 'EIO'): string => WHY[code] ?? code
