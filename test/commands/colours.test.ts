import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { LAUNCHER, pathWithThisNode, temporaryFolder } from '../kit/built-program.ts'
import { commandNames, SERVERS } from '../kit/every-command.ts'
import { machine } from '../kit/harness.ts'
import { needsProgram } from '../kit/needs.ts'

/** What only a real terminal shows: colours, its width, questions. Many commands share one terminal, because each terminal is a process. */

/** Matches escape codes for colours and weights, but not those that move the cursor. */
const LOOK = /\u001b\[[\d;]*m/

const BNPL = `"${process.execPath}" "${LAUNCHER}"`

/**
 * Runs a shell script on a terminal of its own.
 * @param keys what a user types, each when the screen shows the text that it waits for
 */
async function onTerminal(
  dir: string,
  script: string,
  {
    keys = [],
    env = {},
  }: { keys?: readonly (readonly [seen: string, typed: string])[]; env?: Record<string, string> } = {},
): Promise<string> {
  needsProgram('script')
  const child = spawn('script', ['-qefc', script, '/dev/null'], {
    cwd: dir,
    env: {
      PATH: pathWithThisNode(),
      HOME: dir,
      TERM: 'xterm-256color',
      BNPL_STATE_DIR: join(dir, 'state'),
      BNPL_CONFIG_DIR: join(dir, 'config'),
      ...env,
    },
  })
  const left = [...keys]
  let screen = ''
  let unread = ''
  child.stdout.on('data', (chunk) => {
    screen += chunk
    unread += chunk
    const [next] = left
    if (next === undefined || !unread.includes(next[0])) return
    left.shift()
    unread = ''
    child.stdin.write(next[1])
  })
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  expect(left).toEqual([])
  return screen.replaceAll('\r\n', '\n')
}

/** Returns the output of each part of a script, by the title that `part` gave it. */
function parts(screen: string): Record<string, string> {
  const [, ...found] = screen.split(/^@@ (.*)\n/m)
  return Object.fromEntries(
    Array.from({ length: found.length / 2 }, (_, i) => [found[2 * i] ?? '', found[2 * i + 1] ?? '']),
  )
}

const part = (title: string, line: string) => `echo "@@ ${title}"; ${line}`

test('a terminal gets colours on stdout and stderr, unless they are turned off', async () => {
  using home = temporaryFolder()
  // The first command prints a result, the second one a note.
  const both = (before: string, after = '') =>
    `${before} ${BNPL} explain 12 ${after}; ${before} ${BNPL} history ${after}`
  const shown = parts(
    await onTerminal(
      home.path,
      [
        part('plainly', both('')),
        part('forced into a pipe', both('FORCE_COLOR=1', '2>&1 | cat')),
        part('NO_COLOR', both('NO_COLOR=1')),
        part('NO_COLOR against FORCE_COLOR', both('NO_COLOR=1 FORCE_COLOR=1')),
        part('FORCE_COLOR=0', both('FORCE_COLOR=0')),
        part('--no-color', both('', '--no-color')),
        part('dumb', both('TERM=dumb')),
        part('a pipe', both('', '2>&1 | cat')),
      ].join('\n'),
    ),
  )
  const colored = ['plainly', 'forced into a pipe']
  for (const [how, text] of Object.entries(shown)) {
    expect([how, text]).toEqual([how, expect.stringMatching(/exit 12[\s\S]*The history is empty/)])
    expect([how, LOOK.test(text.split('The history is empty')[0] ?? '')]).toEqual([how, colored.includes(how)])
    expect([how, LOOK.test(text.split('happened.')[1] ?? '')]).toEqual([how, colored.includes(how)])
  }
  expect(Object.keys(shown)).toHaveLength(8)
})

test('a question has colours unless they are turned off, and Ctrl-C at a question exits with 130', async () => {
  using home = temporaryFolder()
  const ask = (option: string, env: Record<string, string> = {}) =>
    onTerminal(home.path, `${BNPL} walkthrough -p sandbox ${option}; echo "code $?"`, {
      keys: [['national id', '\u0003']],
      env,
    })
  const [plainly, option, variable] = await Promise.all([ask(''), ask('--no-color'), ask('', { NO_COLOR: '1' })])
  for (const screen of [plainly, option, variable]) expect(screen).toContain('code 130')
  expect([LOOK.test(plainly), LOOK.test(option), LOOK.test(variable)]).toEqual([true, false, false])
})

test('a progress line is drawn on a terminal, but not in CI, where the screen is kept as a log', async () => {
  using home = temporaryFolder()
  const ask = (env: Record<string, string>) => onTerminal(home.path, `${BNPL} verify T1 --wait 1s -p sandbox`, { env })
  const [plainly, inCi] = await Promise.all([ask({}), ask({ CI: 'true' })])
  for (const screen of [plainly, inCi]) expect(screen).toContain('still no loan for T1 after 1s')
  // ESC[K removes what the line shows.
  expect(plainly).toMatch(/Waiting for the loan of T1 .* left[\s\S]*\u001b\[0?K/)
  expect(inCi).not.toMatch(/\u001b\[0?K|Waiting for/)
  expect(inCi).toContain('Waiting up to 1s for T1')
})

test('tables are as wide as the terminal is', async () => {
  using home = temporaryFolder()
  const shown = parts(
    await onTerminal(
      home.path,
      [100, 80, 60].map((columns) => part(String(columns), `stty cols ${columns}; ${BNPL} contract gaps`)).join('\n'),
    ),
  )
  for (const columns of [100, 80, 60]) {
    const widest = Math.max(
      ...String(shown[columns])
        .split('\n')
        .map((line) => stringWidth(line)),
    )
    expect([columns, widest]).toEqual([columns, expect.toSatisfy((width) => width <= columns && width > columns - 8)])
  }
})

test('an error and its hint are wrapped at the width of the terminal, and are not wrapped in a pipe', async () => {
  using home = temporaryFolder()
  const line = `${BNPL} verify T1 --timeout never`
  const shown = parts(
    await onTerminal(
      home.path,
      [part('30', `stty cols 30; ${line}`), part('a pipe', `stty cols 30; ${line} 2>&1 | cat`)].join('\n'),
    ),
  )
  const lines = (how: string) => String(shown[how]).trim().split('\n')
  expect(Math.max(...lines('30').map((each) => stringWidth(each)))).toBeLessThanOrEqual(30)
  expect(lines('30').length).toBeGreaterThan(lines('a pipe').length)
  expect(lines('a pipe')).toEqual([
    'error: --timeout never is not a duration above zero',
    '  Write it as 500ms, 30s, 2m or 1h. A number without a unit means seconds.',
  ])
})

test('a command with stdin, stdout and stderr closed does its work, and the history contains the result', async () => {
  using home = temporaryFolder()
  const line = 'evaluate -p sandbox --rut 11222333-9 --amount 250000 --trx T1'
  const screen = await onTerminal(
    home.path,
    `${BNPL} ${line} <&- >&- 2>&-; echo "code $?"; ${BNPL} history show T1 --json > shown.json; echo "code $?"`,
  )
  expect(screen).toBe('code 0\ncode 0\n')
  expect(existsSync(join(home.path, 'shown.json'))).toBe(true)
  expect(JSON.parse(readFileSync(join(home.path, 'shown.json'), 'utf8'))).toMatchObject({ externalTrxId: 'T1' })
})

test('on a terminal no command of the tree shows an escape sequence as text', async () => {
  using m = machine()
  const { leaves } = await commandNames(m.world().world)
  const names = leaves.filter((name) => !SERVERS.includes(name) && !name.startsWith('__'))
  expect(names.length).toBeGreaterThan(60)
  for (const name of names) {
    const { stdout, stderr } = await m.run(`${name} -p sandbox --no-input`, { color: true, stdoutIsTty: true })
    expect([name, stdout + stderr]).toEqual([name, expect.not.stringMatching(/\\u001b|\\x1b|\\u009b/i)])
    // Every command that refuses says so in red.
    if (/^.{0,5}error:/m.test(stderr))
      expect([name, stderr]).toEqual([name, expect.stringContaining('\u001b[31merror:\u001b[39m')])
    expect([name, (stdout + stderr).trim()]).not.toEqual([name, ''])
  }
})
