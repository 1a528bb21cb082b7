import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KEPT_FILES, type KeptFile } from '../src/disk/kept-files.ts'
import { beginDay } from './kit/day.ts'
import { FILES } from './kit/every-command.ts'
import { machine } from './kit/harness.ts'
import { program } from './kit/program.ts'
import { readSources } from './kit/source-graph.ts'

/** The list of our files is complete: no other file appears, and only the room `src/disk` makes our files. */

const kept = (folder: KeptFile['folder'], path: string) =>
  Object.values<KeptFile>(KEPT_FILES).some((each) => each.folder === folder && each.paths.test(path))

const filesIn = (dir: string) =>
  globSync('**/{*,.*}', { cwd: dir, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))

test.each([
  ['relative', '.config', '.local/state'],
  ['./relative', '.config', '.local/state'],
  ['', '.config', '.local/state'],
  ['DIR/absolute', 'absolute', 'absolute'],
])('the folder “%s” in an XDG variable is used only if its path is absolute', async (name, config, state) => {
  await using p = program()
  writeFileSync(join(p.dir, 'key'), FILES.key)
  const folder = name.replace('DIR', p.dir)
  const env = { BNPL_CONFIG_DIR: '', BNPL_STATE_DIR: '', XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
  for (const line of [
    'profiles add acme --base-url https://api.example.com --api-key-file key',
    'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T1',
  ])
    expect(await p.run(line, env)).toMatchObject({ code: 0 })
  expect(filesIn(join(p.dir, config, 'bnpl'))).toContain('profiles.json')
  expect(filesIn(join(p.dir, state, 'bnpl'))).toContain('sandbox.db')
  expect(existsSync(join(p.dir, 'relative'))).toBe(false)
})

test('every file that any command makes is in the list of kept files [row 114]', async () => {
  const day = await beginDay('--json')
  const { m, rows, run } = day
  const seen = { config: new Set<string>(), state: new Set<string>() }
  const look = () => {
    for (const name of filesIn(m.configDir)) seen.config.add(name)
    for (const name of filesIn(m.stateDir)) seen.state.add(name)
  }
  for (const { line } of rows) {
    await run(line)
    look()
  }
  await run('evaluate -p sandbox --from - --out made.csv --junit made.xml', { stdin: FILES['rows.csv'] })
  look()
  const unknown = [
    ...[...seen.config].filter((path) => !kept('config', path)),
    ...[...seen.state].filter((path) => !kept('state', path)),
  ]
  expect(unknown).toEqual([])
  expect(seen.state.size).toBeGreaterThan(8)
  const inputs = [...Object.keys(FILES), 'ready-sandbox-start.json', 'ready-webhooks-listen.json']
  const beside = filesIn(m.dir).filter((path) => !/^(config|state)\//.test(path) && !inputs.includes(path))
  expect(beside.filter((path) => !kept('yours', path))).toEqual([])
  await day.end()
})

test('a settings folder with a file of another program keeps its mode [attack 28]', async () => {
  using m = machine()
  mkdirSync(m.configDir, { mode: 0o755 })
  const foreign = join(m.configDir, 'profiles.json')
  writeFileSync(foreign, '{"profiles":"of another program"}', { mode: 0o644 })
  writeFileSync(join(m.configDir, 'package.json'), '{}', { mode: 0o644 })
  chmodSync(foreign, 0o644)
  chmodSync(m.configDir, 0o755)
  for (const line of ['profiles list', 'profiles use sandbox']) expect((await m.run(line)).code).toBe(3)
  expect(readFileSync(foreign, 'utf8')).toContain('another program')
  expect([statSync(foreign).mode & 0o777, statSync(m.configDir).mode & 0o777]).toEqual([0o644, 0o755])
  // A folder in which other users can write is not used, and is left as it is.
  chmodSync(m.configDir, 0o775)
  expect((await m.run('profiles list')).code).toBe(3)
  expect(statSync(m.configDir).mode & 0o777).toBe(0o775)
})

test('a link at the path of the snapshot folder is refused, and the target of the link remains empty [attack 5]', async () => {
  using m = machine()
  expect((await m.run('sandbox status')).code).toBe(0)
  mkdirSync(join(m.dir, 'elsewhere'))
  symlinkSync(join(m.dir, 'elsewhere'), join(m.stateDir, 'snapshots'))
  for (const line of ['snapshot save s1', 'snapshot list', 'snapshot load s1 -y']) {
    expect([line, (await m.run(`sandbox ${line}`)).code]).toEqual([line, 3])
  }
  expect(readdirSync(join(m.dir, 'elsewhere'))).toEqual([])
  expect(existsSync(join(m.stateDir, 'sandbox.db'))).toBe(true)
})

/** Functions that make, open for writing, move or remove a file. Opening for reading is allowed everywhere. */
const MAKING = [
  'appendFile',
  'copyFile',
  'cp',
  'createWriteStream',
  'link',
  'mkdir',
  'mkdtemp',
  'open',
  'rename',
  'symlink',
  'truncate',
  'writeFile',
]
const MAKERS = new Set(MAKING.flatMap((name) => [name, `${name}Sync`]))

/** Files outside `src/disk` that may use these functions, with the reasons. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/bulk/input.ts': 'opens the input to read it, and puts rows of a pipe into a file without a name',
  'src/commands/file-input.ts': 'opens what the user named, to read it',
  'src/commands/sandbox/run.ts': 'makes a folder for one command under a name that cannot be guessed',
  'src/commands/webhooks/signature-options.ts': 'opens a secret file to read it, and waits for no pipe',
  'src/language/packing.ts': 'opens the texts of a language to read a part of them',
  'src/profiles/file.ts': 'opens the profiles to read them, never through a link',
  'src/receiver/file/commits.ts': 'opens the inbox to sync it: closing the file elsewhere would release its locks',
  'src/receiver/file/inbox-file.ts': 'creates the reserve, a file of zeros',
  'src/sandbox/server/running.ts': 'links its record into place, so that only one of two sandboxes gets the name',
  'src/torture/one-run.ts': 'makes a folder for one run under a name that cannot be guessed',
  'src/torture/torture.ts': 'makes a folder for compiled code under a name that cannot be guessed',
  'src/terminal/standard-output.ts': 'opens the pipe of stdout or stderr again, and makes no file',
  'src/testing.ts': 'makes a folder for the snapshot of a test, under a name that cannot be guessed',
  'src/sandbox/store/snapshot.ts': 'copies a snapshot into a folder of its own before it is opened',
}

test('files are made in src/disk, and elsewhere only for a listed reason [row 114]', () => {
  const makers = readSources('src/**/*.ts')
    .filter(({ path }) => !path.startsWith('src/disk/'))
    .filter(({ imports }) => imports.some(({ target }) => /^node:fs(\/promises)?$/.test(target)))
    .filter(({ text }) => {
      const names = [...text.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)].flatMap(([, list = '']) =>
        list.split(',').map((name) => name.trim().replace(/ as .*/, '')),
      )
      return names.some((name) => MAKERS.has(name))
    })
    .map(({ path }) => path)
  expect(makers.sort()).toEqual(Object.keys(EXCEPTIONS).sort())
})

test('node:fs is imported by name, so that the test above sees its functions [row 114]', () => {
  const whole = readSources('src/**/*.ts').filter(
    ({ path, text }) =>
      // The keyring gives a child process a script, which writes its answer to a file descriptor.
      path !== 'src/profiles/keyring.ts' &&
      /import (\* as )?\w+ from 'node:fs|import\('node:fs|require\(['"](node:)?fs/.test(text),
  )
  expect(whole.map(({ path }) => path)).toEqual([])
})

test('databases are opened only in src/disk, which checks the file first, and in two listed files [row 114]', () => {
  const opening = readSources('src/**/*.ts').filter(
    ({ path, text }) => !path.startsWith('src/disk/') && text.includes('new DatabaseSync('),
  )
  // Two files open a database: a second connection to an open ledger, and a store whose file was already checked.
  expect(opening.map(({ path }) => path).sort()).toEqual(['src/bulk/ledger-file.ts', 'src/sandbox/store/sqlite.ts'])
})
