import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCRIPTS } from '../../src/commands/completion/completion.ts'
import { ROOT } from '../kit/source-graph.ts'
import { differences, powerShell } from './powershell.ts'

const PROGRAMS = ['npm', 'npx', 'node', 'bnpl']

const blocks = (path: string, language: string) =>
  [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
    ),
  ].map(([, text]) => String(text))

test.each(blocks('README.md', 'sh'))(
  'a block of the README does the same in bash, PowerShell and cmd.exe: %s',
  async (script) => {
    // cmd.exe has no comments. A reader types only the command.
    const commands = script.replaceAll(/ +#.*$/gm, '')
    expect(await differences(commands, PROGRAMS)).toEqual([])
  },
)

test.each(
  globSync('examples/*/README.md', { cwd: ROOT }).flatMap((path) =>
    blocks(path, 'sh').map((script) => ({ path, script })),
  ),
)('the commands of $path need no shell: $script', async ({ script }) => {
  expect(await differences(script, PROGRAMS)).toEqual([])
})

test.each([
  ['npm ci && npm test', 'PowerShell 5.1 has no && and no ||'],
  ['bnpl verify order-1 || npm test', 'PowerShell 5.1 has no && and no ||'],
  ['bnpl walkthrough -p sandbox </dev/null', 'PowerShell has no <'],
  ['bnpl profiles add acme --api-key-stdin < key.txt', 'PowerShell has no <'],
  ['export BNPL_PROFILE=acme', 'another program is needed'],
  ['TRX=order-1', 'another program is needed'],
  ['BNPL_PROFILE=acme bnpl smoke', 'another program is needed'],
  ['bnpl leads list | jq -r .id', 'another program is needed'],
  ['bnpl evaluations get | node id.mjs', 'not every shell has the other program of a pipe'],
  ['bnpl verify "$TRX"', 'each shell has its own variables'],
  ['bnpl verify $env:TRX', 'each shell has its own variables'],
  ['bnpl verify "order-$(date +%s)"', 'cmd.exe replaces no $(…)'],
  ['bnpl verify $(bnpl history)', 'cmd.exe replaces no $(…)'],
  ['node handler.mjs &', 'a syntax error in PowerShell'],
  ["cat > handler.mjs <<'END'\nx\nEND", 'another program is needed'],
  ['if [ -f key.txt ]; then bnpl smoke; fi', 'a syntax error in PowerShell'],
  ['npm install ./bnpl-*.tgz', 'no shell of Windows replaces * and ?'],
  ['bnpl verify order-1 \\\n  --json', 'each shell continues a line in its own way'],
  ["bnpl verify 'order 1'", 'cmd.exe has no single quotes'],
  ['bnpl verify order-1 --json > loan.json', 'PowerShell 5.1 writes UTF-16 with >'],
  ['bnpl api POST /x -f {b}', 'braces are code in PowerShell'],
])('what only some shells do is reported: %s', async (script, why) => {
  expect(await differences(script, PROGRAMS)).toContain(why)
})

test('the blocks of the page about Windows, and the script for completion, are PowerShell', async () => {
  const scripts = [...blocks('docs/windows.md', 'powershell'), SCRIPTS.powershell]
  expect(scripts.length).toBeGreaterThan(2)
  for (const script of scripts) await powerShell(script)
})

test('the script for completion is read the same in every code page', () => {
  expect(SCRIPTS.powershell).toMatch(/^[\n -~]*$/)
})
