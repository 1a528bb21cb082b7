import { expect, test } from 'vitest'
import { ids, PIECES } from '../../test/kit/hostile-ids.ts'
import { pasted } from '../../test/kit/pasted.ts'
import { runsAs } from '../../test/windows/command-line.ts'
import { argumentsOf } from '../../test/windows/powershell.ts'
import {
  asItIs,
  commandLine,
  isShellWord,
  moveAway,
  quotedForBash,
  quotedForPowerShell,
  replaceBy,
  replaceByCopy,
  setVariable,
} from './shell-word.ts'
import { UNSEEN } from './visible.ts'

test('a shell reads the quoted word of any id as the same id, and the word has no invisible character [page 1.3]', () => {
  const all = [...PIECES, ...ids(3000)]
  const words = all.map(quotedForBash)
  for (const word of words) expect(word.search(UNSEEN)).toBe(-1)
  // Test two locales of a shell, because an escape of a whole character would be right in only one of them.
  for (const LC_ALL of ['C', 'C.UTF-8']) {
    for (let at = 0; at < words.length; at += 500) {
      expect(pasted(`bnpl ${words.slice(at, at + 500).join(' ')}`, { LC_ALL })).toEqual(all.slice(at, at + 500))
    }
  }
})

test.each([
  ['order-1001', 'order-1001'],
  ['', "''"],
  ['two words', "'two words'"],
  ["it's", `'it'\\''s'`],
  ['=ls', "'=ls'"],
  ['a=b', 'a=b'],
  ['$HOME', "'$HOME'"],
  ['a\u001b[201~\nid\n', "$'a\\033[201~\\nid\\n'"],
  ["it's\\\u202e", "$'it\\'s\\\\\\342\\200\\256'"],
])('%j is quoted for a shell as %s', (text, word) => {
  expect(quotedForBash(text)).toBe(word)
  expect(isShellWord(text)).toBe(text === word)
})

test('an operand that looks like an option is put after `--`, which is put after every option [page 1.3]', () => {
  expect(commandLine('bnpl verify', ['order-1'], '--wait -p shop')).toBe('bnpl verify order-1 --wait -p shop')
  expect(commandLine('bnpl verify', ['--out=a file'], '--wait -p shop')).toBe(
    "bnpl verify --wait -p shop -- '--out=a file'",
  )
  expect(commandLine('bnpl verify', ['a', '-b'])).toBe('bnpl verify -- a -b')
})

test('curl gets --globoff for an address with brackets, so that curl does not expand the address', () => {
  expect(asItIs('https://a.example/x?filters[outcome]=approved')).toEqual(['--globoff'])
  expect(asItIs('https://a.example/x?a=1')).toEqual([])
})

const SYNTAX = [
  '--',
  '-a.b',
  '-p:x',
  'a,b',
  '@list',
  '%PATH%',
  'C:\\Users\\Ana Núñez',
  'C:\\dir\\',
  '\\\\nas\\x',
  '{b}',
  'a&b',
  '(id)',
  '#x',
  'l’été',
  '“x”',
]

test('PowerShell reads the quoted word of any id as the same id, and cmd.exe and bash do so unless it needs an escape', async () => {
  // The parser takes a # behind an escape for a comment. PowerShell does not.
  const all = [...SYNTAX, ...PIECES, ...ids(500)].filter((id) => !id.includes('#') || id.search(UNSEEN) < 0)
  const words = all.map(quotedForPowerShell)
  for (const word of words) expect(word.search(UNSEEN)).toBe(-1)
  expect(await argumentsOf(`bnpl ${words.join(' ')}`)).toEqual(all)
  const common = all.filter((id) => !/^'|\$\(/.test(quotedForPowerShell(id)))
  const line = `bnpl ${common.map(quotedForPowerShell).join(' ')}`
  expect(pasted(line)).toEqual(common)
  const refuse = (code: string) => expect.fail(code)
  expect(runsAs(line, () => 'bnpl.exe', refuse).args).toEqual(common)
  expect(common.length).toBeGreaterThan(SYNTAX.length)
})

test.each([
  ['order-1001', 'order-1001'],
  ['ana@shop.example', 'ana@shop.example'],
  ['', '""'],
  ['--', '"--"'],
  ['calls,webhooks', '"calls,webhooks"'],
  ['C:\\Users\\Ana', '"C:\\Users\\Ana"'],
  ["it's", `"it's"`],
  ['$HOME', "'$HOME'"],
  ["$it's", "'$it''s'"],
  ['a\u202e"b"', '"a$([char]8238)`"b`""'],
])('%j is quoted for PowerShell as %s', (text, word) => {
  expect(quotedForPowerShell(text)).toBe(word)
})

test.each([
  ['/state/inbox.lock', 'linux', 'mv /state/inbox.lock /state/inbox.lock.old'],
  ["/my state/it's.db", 'linux', `mv '/my state/it'\\''s.db' '/my state/it'\\''s.db.old'`],
  [
    'C:\\Users\\Ana Núñez\\state.db',
    'win32',
    'move "C:\\Users\\Ana Núñez\\state.db" "C:\\Users\\Ana Núñez\\state.db.old"',
  ],
])('%s is moved away by a command that can be pasted on %s', (path, system, command) => {
  expect(moveAway(path, 'old', system)).toBe(command)
})

test('commands for PowerShell are PowerShell, and have the same words as those for bash', async () => {
  const [path, saved] = ["C:\\my state\\it's.db", 'C:\\my state\\$saved.db']
  const [log, index] = [`${path}-wal`, `${path}-shm`]
  expect(await argumentsOf(replaceByCopy(path, 'win32'))).toEqual([
    path,
    `${path}.copy`,
    '-Force',
    `${path}.copy`,
    path,
  ])
  const replaced = replaceBy(saved, path, [log, index], 'win32')
  expect(await argumentsOf(replaced)).toEqual([log, index, '-Force', '-ErrorAction', '0', '-Force', saved, path])
  expect(pasted(replaceBy(saved, path, [log, index], 'linux').replace('rm', 'bnpl').replace(/; mv/, ''))).toEqual([
    '-f',
    log,
    index,
    saved,
    path,
  ])
  expect(replaceByCopy('/x', 'linux')).toBe('cp /x /x.copy && mv /x.copy /x')
  expect(setVariable('BNPL_STATE_DIR', "C:\\it's", true)).toBe("$env:BNPL_STATE_DIR = 'C:\\it''s'")
  expect(setVariable('BNPL_STATE_DIR', "/it's", false)).toBe("export BNPL_STATE_DIR='/it'\\''s'")
})
