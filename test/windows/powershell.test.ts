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

test.each(['README.md', 'README.es.md'].flatMap((path) => blocks(path, 'sh').map((script) => [path, script] as const)))(
  'a block of %s does the same in bash, PowerShell and cmd.exe: %s',
  async (_, script) => {
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
  ['bnpl sandbox run -- npm test --verbose', 'the script of npm for PowerShell removes the first --'],
  ['bnpl sandbox torture --only calls,webhooks', 'PowerShell makes a list of words with a comma'],
])('what only some shells do is reported: %s', async (script, why) => {
  expect(await differences(script, PROGRAMS)).toContain(why)
})

/** Commands that PowerShell 5.1 and 7 have on Windows, and programs of Windows. */
const OF_WINDOWS = [
  ...['Get-Content', 'ConvertFrom-Json', 'Out-String', 'Invoke-Expression', 'Set-ExecutionPolicy', 'Stop-Process'],
  ...['icacls', 'taskkill', 'winpty', 'npx.cmd', 'bnpl.cmd'],
]

/** What the page shows without a command that could be typed. */
const NO_COMMANDS = /^--|^sandbox torture$|\b(command|first|second)\b|…/

/** The commands in the text of the page about Windows, without those of bash in its table, and without names of files and variables. */
const inText = readFileSync(join(ROOT, 'docs/windows.md'), 'utf8')
  .replaceAll(/^```[\s\S]*?^```$|^\| `[^|]*`/gm, '')
  .matchAll(/`([^`\n]+)`/g)
  .map(([, code = '']) => code.replaceAll('\\|', '|'))
  .filter((code) => code.includes(' ') && !NO_COMMANDS.test(code))
  .toArray()

test.each([...blocks('docs/windows.md', 'powershell'), ...inText])(
  'what the page about Windows shows is PowerShell, and needs only programs that are there: %s',
  async (script) => {
    const names = (await powerShell(script)).descendantsOfType('command_name').map(({ text }) => text)
    expect(names.filter((name) => ![...PROGRAMS, ...OF_WINDOWS].includes(name))).toEqual([])
  },
)

test('the script for completion is PowerShell', async () => {
  await powerShell(SCRIPTS.powershell)
})

test('the script for completion is read the same in every code page', () => {
  expect(SCRIPTS.powershell).toMatch(/^[\n -~]*$/)
})
