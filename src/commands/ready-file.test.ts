import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareReadyFile } from './ready-file.ts'

test('a ready file is its owner’s, replaces a link and not its target, and a folder in its place ends nothing in a fault', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bnpl-ready-'))
  try {
    const path = join(dir, 'ready.json')
    const mine = join(dir, 'mine')
    writeFileSync(mine, 'mine')
    symlinkSync(mine, path)
    const ready = await prepareReadyFile(dir, 'ready.json')
    symlinkSync(mine, path)
    await ready.write('{}\n')
    expect([readFileSync(path, 'utf8'), readFileSync(mine, 'utf8')]).toEqual(['{}\n', 'mine'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    rmSync(path)
    mkdirSync(path)
    await ready.remove()
    expect(statSync(path).isDirectory()).toBe(true)
    await expect(prepareReadyFile(dir, 'ready.json')).rejects.toMatchObject({ kind: 'config' })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
