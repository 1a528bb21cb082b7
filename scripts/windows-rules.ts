import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import spawn from 'cross-spawn'
import { ROOT } from './bundle.ts'

/**
 * Runs the tests of `src` under the rules of Windows (test/windows/rules.ts): `npm run windows-rules`. `test/windows/exceptions.json` lists by
 * reason which of them fail there. Ends with 1 if another test fails, or if a listed one passes or is gone. `npm run windows-rules -- --write`
 * removes these from the list, and adds the others with a reason that must be replaced. On Windows itself the rules are not loaded.
 */

/** Titles of tests, by reason and by file. A file that fails before or after its tests has the title `(the file)`. */
type Listed = Record<string, Record<string, string[]>>

interface Report {
  numPassedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[]
  }[]
}

interface Failure {
  test: string
  message: string
}

const LIST = join(ROOT, 'test', 'windows', 'exceptions.json')
const WHOLE = '(the file)'
const NEW = 'no reason yet'
/** The reason of tests that may also pass. */
const SOMETIMES = 'the test removes a folder, in which a file may still be open at that moment'

const idOf = (file: string, title: string) => `${file} > ${title}`

function runTests(): Report {
  const folder = mkdtempSync(join(tmpdir(), 'bnpl-windows-rules-'))
  try {
    const report = join(folder, 'report.json')
    const words = ['vitest', 'run', 'src', '--retry=1', '--reporter=json', `--outputFile=${report}`]
    const env = {
      ...process.env,
      ...(process.platform === 'win32' ? {} : { WINDOWS_RULES_IN_TESTS: '1', WINDOWS_RULES_SCANNER: '0' }),
    }
    spawn.sync('npx', words, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
    return JSON.parse(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const { numPassedTests, testResults } = runTests()
const tests = testResults.flatMap(({ name, message, assertionResults }) => {
  const file = relative(ROOT, name).replaceAll('\\', '/')
  const ofTests = assertionResults.map(({ status, fullName, failureMessages }) => ({
    test: idOf(file, fullName),
    failed: status === 'failed',
    message: failureMessages?.[0] ?? '',
  }))
  return [...ofTests, { test: idOf(file, WHOLE), failed: message !== '', message }]
})
const failures = new Map<string, Failure>(tests.filter(({ failed }) => failed).map((each) => [each.test, each]))

const listed: Listed = JSON.parse(readFileSync(LIST, 'utf8'))
const expected = new Set(
  Object.values(listed).flatMap((files) =>
    Object.entries(files).flatMap(([file, titles]) => titles.map((title) => idOf(file, title))),
  ),
)
const surplus = [...failures.values()].filter(({ test }) => !expected.has(test))
const may = new Set(
  Object.entries(listed[SOMETIMES] ?? {}).flatMap(([file, titles]) => titles.map((title) => idOf(file, title))),
)
const missing = [...expected].filter((test) => !failures.has(test) && !may.has(test))

for (const { test, message } of surplus) console.log(`fails:  ${test}\n        ${message.split('\n')[0]}`)
for (const test of missing)
  console.log(`${tests.some((each) => each.test === test) ? 'passes:' : 'is gone:'} ${test}, which the list contains`)
console.log(
  `${numPassedTests} tests passed, ${failures.size - surplus.length} failed as listed, ${surplus.length + missing.length} differ from the list`,
)

if (process.argv.includes('--write')) writeFileSync(LIST, `${JSON.stringify(corrected(), null, 2)}\n`)
else if (surplus.length + missing.length > 0) process.exitCode = 1

function corrected(): Listed {
  const found: Listed = {}
  const add = (reason: string, test: string) => {
    const [file = '', ...title] = test.split(' > ')
    found[reason] ??= {}
    found[reason][file] ??= []
    found[reason][file].push(title.join(' > '))
  }
  for (const [reason, files] of Object.entries(listed))
    for (const [file, titles] of Object.entries(files))
      for (const title of titles) if (failures.has(idOf(file, title))) add(reason, idOf(file, title))
  for (const { test, message } of surplus) add(reasonOf(message), test)
  return found
}

/** Returns the reason that the first line of a failure shows. */
function reasonOf(message: string): string {
  const [line = ''] = message.split('\n')
  if (/a rule of Windows, symlink/.test(line))
    return 'symbolic links need a privilege, which users of Windows seldom have'
  if (/no-such-folder\/(proc|sys)/.test(line)) return 'the test reads /proc, which Windows does not have'
  if (/(expected|Array|Object).*\b(4[0-9][0-9]|384|448|493|511|420|438)\b/.test(line) || /mode/.test(line))
    return 'files have no modes and no owners'
  if (/a rule of Windows, (rename|unlink|rm)/.test(line))
    return 'the test itself removes, renames or replaces an open file'
  return NEW
}
