import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileKey } from './kept-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'bnpl-same-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const place = (name: string) => join(dir, name)
mkdirSync(place('folder'))
symlinkSync(dir, place('link'))
writeFileSync(place('there'), '')
linkSync(place('there'), place('second name'))
// This folder looks like one of a disk that ignores the case of names.
mkdirSync(place('exfat'))
writeFileSync(place('exfat/orders.csv'), '')
linkSync(place('exfat/orders.csv'), place('exfat/ORDERS.CSV'))

test.each([
  ['there', 'link/there', 'linux', true],
  ['there', 'second name', 'linux', true],
  ['missing', 'link/missing', 'linux', true],
  ['missing', 'folder/missing', 'linux', false],
  ['results.csv', 'Results.CSV', 'linux', false],
  ['results.csv', 'Results.CSV', 'win32', true],
  ['exfat/new.csv', 'exfat/New.CSV', 'linux', true],
  ['exfat/new/a.csv', 'exfat/New/a.csv', 'linux', true],
  ['exfat/new.csv', 'exfat/other.csv', 'linux', false],
  ['results.csv', 'link/RESULTS.csv', 'darwin', true],
  ['new/results.csv', 'New/results.csv', 'win32', true],
  ['jos\u00e9.csv', 'jose\u0301.csv', 'darwin', true],
  ['jos\u00e9.csv', 'jose\u0301.csv', 'linux', false],
  ['results.csv', 'results2.csv', 'win32', false],
])('%s and %s on %s are the same file: %s', (one, other, system, same) => {
  expect(fileKey(place(one), system) === fileKey(place(other), system)).toBe(same)
})
