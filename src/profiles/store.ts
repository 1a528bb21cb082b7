import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { diskFailure } from '../disk/failure.ts'
import { KEPT_FILES } from '../disk/kept-files.ts'
import { makePrivateFolder, type Notice } from '../disk/private.ts'
import { type BnplError, config } from '../errors.ts'
import { holdsProfiles, profilePath, readProfileFile } from './file.ts'
import { PROFILE_VERSION, type ProfileFile } from './profile.ts'

/** The profiles of this machine, in one file that only its owner can read and that is written under a lock. */
export interface ProfileStore {
  /** Returns the content of the file, which is empty if the file does not exist. */
  read(): Promise<ProfileFile>
  /** Stores the result of `change` and returns it. No other process's change is lost. If `change` throws, nothing is written. */
  update(change: (file: ProfileFile) => ProfileFile): Promise<ProfileFile>
  readonly path: string
}

/** Opens the profiles of a configuration folder. `notice` reports that a file mode was corrected. */
export async function openProfiles(configDir: string, notice: Notice = () => {}): Promise<ProfileStore> {
  const path = profilePath(configDir)
  const read = async () => (await readProfileFile(configDir, notice)) ?? { version: PROFILE_VERSION, profiles: {} }
  return {
    path,
    read,
    async update(change) {
      // Load the lock only here, because it needs SQLite, and most commands only read the profiles.
      const [{ default: Conf }, { withLock }] = await Promise.all([import('conf'), import('./lock.ts')])
      makePrivateFolder(configDir, notice, () => holdsProfiles(configDir))
      return withLock(
        join(configDir, KEPT_FILES.profilesLock.name),
        async (checkLock) => {
          sweep(configDir)
          const file = change(await read())
          checkLock()
          try {
            const writer = new Conf<Record<string, unknown>>({
              cwd: configDir,
              configName: 'profiles',
              configFileMode: 0o600,
              accessPropertiesByDotNotation: false,
            })
            writer.store = { ...file }
          } catch (error) {
            // The library reads the file again before it writes, and throws these errors if the file was damaged after `read`.
            if (error instanceof SyntaxError || error instanceof TypeError) throw damaged(path)
            throw diskFailure(`${path} could not be written`, error)
          }
          return file
        },
        { notice },
      )
    },
  }
}

const damaged = (path: string): BnplError =>
  config(
    `${path} is damaged and was not changed`,
    'Repair the file, or move it away and add the profiles again: bnpl profiles add NAME',
    'PROFILES_DAMAGED',
  )

/** Removes half-written files of killed processes, because such files contain keys. No other process writes now, because of the lock. */
function sweep(configDir: string): void {
  const { profiles } = KEPT_FILES
  for (const name of readdirSync(configDir)) {
    if (name !== profiles.name && profiles.paths.test(name)) rmSync(join(configDir, name), { force: true })
  }
}
