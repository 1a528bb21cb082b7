import { expect, test } from 'vitest'
import { ids } from '../../test/kit/hostile-ids.ts'
import { commandLine, optionWords, shellQuoted } from '../text/shell-word.ts'

/** The copy for browsers, which cannot load the TypeScript file. */
const browser = await import(new URL('./window-assets/command-line.js', import.meta.url).href)

test('the window quotes command lines like the program [page 1.3]', () => {
  for (const id of ids(2000, 2)) {
    expect(browser.shellWord(id)).toBe(shellQuoted(id))
    expect(browser.optionWords('--trx', id)).toBe(optionWords('--trx', id))
    expect(browser.commandLine('bnpl verify', [id], '-p shop')).toBe(commandLine('bnpl verify', [id], '-p shop'))
  }
})
