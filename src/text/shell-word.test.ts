import { expect, test } from 'vitest'
import { ids, PIECES } from '../../test/kit/hostile-ids.ts'
import { pasted } from '../../test/kit/pasted.ts'
import { asItIs, commandLine, isShellWord, moveAway, shellQuoted } from './shell-word.ts'
import { UNSEEN } from './visible.ts'

test('a shell reads the quoted word of any id as the same id, and the word has no invisible character [page 1.3]', () => {
  const all = [...PIECES, ...ids(3000)]
  const words = all.map(shellQuoted)
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
  expect(shellQuoted(text)).toBe(word)
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

test('a file is moved away by a command that can be pasted, even if its path has spaces', () => {
  expect(moveAway('/state/inbox.lock', 'old')).toBe('mv /state/inbox.lock /state/inbox.lock.old')
  expect(moveAway("/my state/it's.db", 'damaged')).toBe(`mv '/my state/it'\\''s.db' '/my state/it'\\''s.db.damaged'`)
})
