import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  checkFile,
  checkPrivateFile,
  checkPrivateFolder,
  linked,
  makeFile,
  makePrivateFolder,
  ownUser,
} from './private.ts'

// These functions are replaced, because root can change every mode and read every folder.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    chmodSync: vi.fn(fs.chmodSync),
    readdirSync: vi.fn(fs.readdirSync),
    lstatSync: vi.fn(fs.lstatSync),
    mkdirSync: vi.fn(fs.mkdirSync),
  }
})

let dir: string
let said: string[]
const notice = (text: string) => void said.push(text)
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bnpl-private-'))
  said = []
})
afterEach(() => {
  vi.resetAllMocks()
  rmSync(dir, { recursive: true, force: true })
})

const at = (name: string) => join(dir, name)
const mode = (path: string) => lstatSync(path).mode & 0o7777
const refusal = (code: string, message: string, hint?: string) =>
  expect.objectContaining({ kind: 'config', code, message, hint })
const refuse = () => {
  throw Object.assign(new Error('refused'), { code: 'EPERM' })
}
/** Only root can change the owner of a file. */
const isRoot = ownUser() === 0
const OTHER = 65_534

test('a folder and its missing parents are created private [row 4]', () => {
  makePrivateFolder(at('a/b'), notice)
  expect([mode(at('a')), mode(at('a/b'))]).toEqual([0o700, 0o700])
  expect(said).toEqual([])
})

test('a folder that cannot be made is named by its whole path', () => {
  writeFileSync(at('file'), '')
  const folder = relative('.', at('file/a'))
  expect(() => makePrivateFolder(folder, notice)).toThrowError(
    refusal(
      'DISK',
      `the folder ${at('file/a')} could not be created (ENOTDIR)`,
      'Correct the path. A part of it is a file, not a folder.',
    ),
  )
})

test('if the user may not create the folder, the hint names the variables that set another folder', () => {
  vi.mocked(mkdirSync).mockImplementationOnce(refuse)
  expect(() => makePrivateFolder(at('state'), notice)).toThrowError(
    refusal(
      'DISK',
      `the folder ${at('state')} could not be created (EPERM)`,
      'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that this user has permission to create.',
    ),
  )
})

test('an optional folder is checked, and not created', () => {
  expect(checkPrivateFolder(at('missing'), notice)).toBe(false)
  expect(readdirSync(dir)).toEqual([])
  mkdirSync(at('there'), { mode: 0o700 })
  expect(checkPrivateFolder(at('there'), notice)).toBe(true)
  expect(said).toEqual([])
})

test('a link at the path of a folder is refused, and the hint says how to correct that [row 5]', () => {
  mkdirSync(at('elsewhere'))
  symlinkSync(at('elsewhere'), at('state'))
  expect(() => makePrivateFolder(relative('.', at('state')), notice)).toThrowError(
    refusal(
      'SYMLINK',
      `${at('state')} is a symbolic link, but bnpl does not read or write settings and state through links`,
      `Put the real state in ${dir}, or name the real folder with BNPL_CONFIG_DIR and BNPL_STATE_DIR.`,
    ),
  )
  expect(linked('/a/b').message).toMatch(/^\/a\/b is a symbolic link/)
})

test('a file at the path of a folder is refused', () => {
  writeFileSync(at('file'), '')
  expect(() => checkPrivateFolder(at('file'), notice)).toThrowError(
    refusal(
      'NOT_A_FOLDER',
      `${at('file')} is not a folder`,
      'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.',
    ),
  )
})

test('the error about a path that cannot be read names the path', () => {
  const long = at('x'.repeat(1_000))
  for (const look of [() => checkFile(long), () => checkPrivateFolder(long, notice)]) {
    expect(look).toThrowError(
      refusal('DISK', `${long} cannot be read (ENAMETOOLONG)`, 'Check the path and its permissions.'),
    )
  }
})

test.each(['0755', '0777', '0710', '0701'])(
  'a folder with only files of bnpl that is open to others is made private (mode %s) [row 4]',
  (open) => {
    mkdirSync(at('state'))
    writeFileSync(at('state/state.db'), '')
    chmodSync(at('state'), Number.parseInt(open, 8))
    expect(checkPrivateFolder(at('state'), notice)).toBe(true)
    expect(mode(at('state'))).toBe(0o700)
    expect(said).toEqual([`${at('state')} was open to other users (mode ${open}); its mode is 0700 now`])
  },
)

test('a folder with files of another program keeps its mode if others can only read the folder [attack 28]', () => {
  mkdirSync(at('shared'))
  writeFileSync(at('shared/package.json'), '{}')
  writeFileSync(at('shared/state.db'), '')
  chmodSync(at('shared'), 0o755)
  expect(checkPrivateFolder(at('shared'), notice)).toBe(true)
  expect(mode(at('shared'))).toBe(0o755)
  expect(said).toEqual([])
})

test.each([
  ['0775', 'package.json'],
  ['0757', 'package.json'],
  ['1777', 'state.db'],
])('a folder in which others can write is refused and keeps its mode (mode %s, with %s) [attack 28]', (open, name) => {
  mkdirSync(at('shared'))
  writeFileSync(join(at('shared'), name), '')
  chmodSync(at('shared'), Number.parseInt(open, 8))
  expect(() => checkPrivateFolder(relative('.', at('shared')), notice)).toThrowError(
    refusal(
      'FOLDER_NOT_PRIVATE',
      `other users can write in ${at('shared')}, so it is not safe to keep files there`,
      `Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to a separate folder, such as ${at('shared/bnpl')}.`,
    ),
  )
  expect(mode(at('shared'))).toBe(Number.parseInt(open, 8))
  expect(said).toEqual([])
})

test('a folder that cannot be made private or listed is used only if others cannot write in the folder', () => {
  mkdirSync(at('state'))
  chmodSync(at('state'), 0o755)
  vi.mocked(chmodSync).mockImplementationOnce(refuse)
  expect(checkPrivateFolder(at('state'), notice)).toBe(true)
  vi.mocked(readdirSync).mockImplementationOnce(refuse)
  expect(checkPrivateFolder(at('state'), notice)).toBe(true)
  expect([mode(at('state')), said]).toEqual([0o755, []])
  chmodSync(at('state'), 0o777)
  vi.mocked(chmodSync).mockImplementationOnce(refuse)
  expect(() => checkPrivateFolder(at('state'), notice)).toThrowError(
    expect.objectContaining({ code: 'FOLDER_NOT_PRIVATE' }),
  )
  vi.mocked(readdirSync).mockImplementationOnce(refuse)
  expect(() => checkPrivateFolder(at('state'), notice)).toThrowError(
    expect.objectContaining({ code: 'FOLDER_NOT_PRIVATE' }),
  )
  expect([mode(at('state')), said]).toEqual([0o777, []])
})

test('a file is created empty and only for its owner, and an existing one is unchanged [row 4]', () => {
  makeFile(at('new'))
  expect([readFileSync(at('new'), 'utf8'), mode(at('new'))]).toEqual(['', 0o600])
  writeFileSync(at('there'), 'kept')
  chmodSync(at('there'), 0o644)
  makeFile(at('there'))
  expect([readFileSync(at('there'), 'utf8'), mode(at('there'))]).toEqual(['kept', 0o644])
})

test('a file that cannot be made is named', () => {
  expect(() => makeFile(at('nowhere/a'))).toThrowError(
    refusal(
      'DISK',
      `${at('nowhere/a')} could not be created (ENOENT)`,
      'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.',
    ),
  )
})

test('a link or a folder at the path of a file is refused, and the target of the link is unchanged [row 5]', () => {
  writeFileSync(at('victim'), 'precious')
  chmodSync(at('victim'), 0o644)
  symlinkSync(at('victim'), at('link'))
  mkdirSync(at('folder'))
  for (const look of [checkFile, makeFile, (path: string) => checkPrivateFile(path, notice)]) {
    expect(() => look(at('link'))).toThrowError(expect.objectContaining({ code: 'SYMLINK' }))
    expect(() => look(at('folder'))).toThrowError(refusal('NOT_A_FILE', `${at('folder')} is not a regular file`))
  }
  expect([readFileSync(at('victim'), 'utf8'), mode(at('victim'))]).toEqual(['precious', 0o644])
})

test('checking a file changes nothing', () => {
  expect(checkFile(at('missing'))).toBe(false)
  writeFileSync(at('open'), '')
  chmodSync(at('open'), 0o666)
  expect(checkFile(at('open'))).toBe(true)
  expect(mode(at('open'))).toBe(0o666)
})

test('a file that is open to others is made private, and each change is reported once [row 4]', () => {
  expect(checkPrivateFile(at('missing'), notice)).toBe(false)
  makeFile(at('new'))
  expect(checkPrivateFile(at('new'), notice)).toBe(true)
  expect(said).toEqual([])
  chmodSync(at('new'), 0o604)
  expect(checkPrivateFile(at('new'), notice)).toBe(true)
  expect(mode(at('new'))).toBe(0o600)
  chmodSync(at('new'), 0o640)
  expect(checkPrivateFile(at('new'), notice)).toBe(true)
  expect(said).toEqual(
    ['0604', '0640'].map((was) => `${at('new')} was open to other users (mode ${was}); its mode is 0600 now`),
  )
})

test('a file that cannot be made private is refused, with a chmod command that can be pasted in the hint', () => {
  writeFileSync(at('open'), '')
  chmodSync(at('open'), 0o644)
  mkdirSync(at("Application Support, Ana's"))
  const spaced = at("Application Support, Ana's/open")
  writeFileSync(spaced, '')
  chmodSync(spaced, 0o644)
  vi.mocked(chmodSync).mockImplementationOnce(refuse)
  expect(() => checkPrivateFile(spaced, notice)).toThrowError(
    expect.objectContaining({ hint: `Make it private: chmod 600 '${spaced.replace("'", "'\\''")}'` }),
  )
  vi.mocked(chmodSync).mockImplementationOnce(refuse)
  expect(() => checkPrivateFile(at('open'), notice)).toThrowError(
    refusal(
      'FILE_NOT_PRIVATE',
      `${at('open')} is readable by other users (mode 0644), and bnpl could not change its mode`,
      `Make it private: chmod 600 ${at('open')}`,
    ),
  )
  expect(said).toEqual([])
})

test('on a disk without modes, one notice says that a folder is not private, and nothing says that a mode was changed', () => {
  mkdirSync(at('exfat'))
  chmodSync(at('exfat'), 0o777)
  const file = at('exfat/profiles.json')
  writeFileSync(file, '')
  chmodSync(file, 0o777)
  vi.mocked(chmodSync).mockImplementation(() => {})
  onTestFinished(() => void vi.mocked(chmodSync).mockReset())
  expect(checkPrivateFolder(at('exfat'), notice)).toBe(true)
  expect(checkPrivateFile(file, notice)).toBe(true)
  expect(said).toEqual([
    expect.stringMatching(/^other users may be able to read .*exfat \(mode 0777\), because its disk stores no modes/),
  ])
})

test('the file or folder of another user is refused before its mode is changed [row 114]', () => {
  mkdirSync(at('state'))
  writeFileSync(at('file'), '')
  for (const name of ['state', 'file']) {
    chmodSync(at(name), 0o755)
    if (isRoot) chownSync(at(name), OTHER, OTHER)
  }
  const foreign = expect.objectContaining({ code: 'FOREIGN_OWNER', message: expect.stringContaining(`uid ${OTHER}`) })
  const looks = [() => checkPrivateFolder(at('state'), notice), () => checkPrivateFile(at('file'), notice)]
  for (const look of looks) {
    if (isRoot) expect(look).toThrowError(foreign)
    else look()
  }
  expect([mode(at('state')), mode(at('file'))]).toEqual(isRoot ? [0o755, 0o755] : [0o700, 0o600])
})

test('a file that is removed during the check counts as missing', () => {
  writeFileSync(at('passing'), '')
  const look = vi.mocked(lstatSync).getMockImplementation() as typeof lstatSync
  vi.mocked(lstatSync).mockImplementationOnce(((path: string) => {
    const found = look(path)
    rmSync(path)
    return found
  }) as typeof lstatSync)
  expect(checkPrivateFile(at('passing'), notice)).toBe(false)
  expect(said).toEqual([])
})

test('on Windows, where modes mean nothing, no mode is changed or refused', async () => {
  vi.resetModules()
  vi.doMock('node:os', async (original) => ({ ...(await original<object>()), platform: () => 'win32' }))
  try {
    const windows = await import('./private.ts')
    mkdirSync(at('state'))
    writeFileSync(at('state/state.db'), '')
    chmodSync(at('state'), 0o777)
    chmodSync(at('state/state.db'), 0o666)
    expect(windows.checkPrivateFolder(at('state'), notice)).toBe(true)
    expect(windows.checkPrivateFile(at('state/state.db'), notice)).toBe(true)
    expect([mode(at('state')), mode(at('state/state.db')), said]).toEqual([0o777, 0o666, []])
  } finally {
    vi.doUnmock('node:os')
    vi.resetModules()
  }
})
