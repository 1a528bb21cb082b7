import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { beginsWith } from './append-file.ts'

test('only a regular file can begin with the text; a folder, a shorter file and a missing file do not', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-beginning-'))
  try {
    writeFileSync(join(dir, 'a.pdf'), '%PDF-1.7 …')
    writeFileSync(join(dir, 'b.pdf'), '%PDF')
    writeFileSync(join(dir, 'c.pdf'), 'mine, and long enough')
    mkdirSync(join(dir, 'd.pdf'))
    const found = ['a', 'b', 'c', 'd', 'e'].map((name) => beginsWith(join(dir, `${name}.pdf`), '%PDF-'))
    expect(found).toEqual([true, false, false, false, false])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
