const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
}

/**
 * Says why a file that the user named cannot be read. @param code the code of the system's error, which is returned itself if there are no
 * words for it
 */
export const whyUnreadable = (code = 'EIO'): string => WHY[code] ?? code
