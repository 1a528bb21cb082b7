const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
}

/** Why a file that the user named cannot be read. @param code the code of the system's error, which is the answer itself if this table does not explain it */
export const whyUnreadable = (code = 'EIO'): string => WHY[code] ?? code
