import { BnplError } from '../errors.ts'
import type { Words } from '../language/patterns.ts'
import { visible } from '../text/visible.ts'
import type { JUnitCase } from './junit.ts'
import type { Output } from './output.ts'
import { renderTable, tableOn } from './table.ts'
import { measureFor, wrapWords } from './wrap.ts'

/** The result of one check of `bnpl smoke`, `bnpl doctor` or the test of a receiver. `ms` is the duration of the check. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail' | 'skipped'
  detail: string
  hint?: string
  ms: number
}

/** The total width of a row's sign (`✓`) and of the gaps between its cells, in columns. */
const NEXT_TO_NAME = 5
/** The smallest width of the results beside the names of the checks, in columns. With less space the results are below the names. */
const LEAST_ROOM = 24

const MANY_SKIPPED = 8

const SIGNS = { ok: '✓', warn: '!', fail: '✗', skipped: '-' } as const

/** Writes checks as the result of the command: a table with the hints below it, or data for a program. `width` is in columns. */
export async function showChecks(output: Output, all: readonly Check[], width: number): Promise<void> {
  const { style, inLanguage } = output
  const looks = { ok: style.green, warn: style.yellow, fail: style.red, skipped: style.dim }
  const table = async () => {
    const checks = withoutTail(all).map((check) => inWords(check, inLanguage))
    const measure = await measureFor(
      checks.flatMap(({ name, detail, hint = '' }) => [name, detail, hint].map((text) => visible(text))),
    )
    const room = width - NEXT_TO_NAME - Math.max(0, ...checks.map(({ name }) => measure(visible(name))))
    const stacked = ({ status, name, detail, hint }: Check) =>
      [
        `${looks[status](SIGNS[status])}  ${visible(name)}`,
        ...(status === 'ok' ? [] : [detail, ...(hint === undefined ? [] : [hint])]).map(
          (text) => `   ${style.dim(wrapWords(visible(text), width - 3, '   ', measure))}`,
        ),
      ].join('\n')
    if (room < LEAST_ROOM && checks.some(({ detail }) => measure(visible(detail)) > room))
      return checks.map(stacked).join('\n')
    const table = await renderTable(
      checks,
      [
        { title: '', value: (check) => SIGNS[check.status], look: (text, check) => looks[check.status](text) },
        { title: 'Check', isText: true, value: (check) => check.name },
        { title: 'Result', isText: true, value: (check) => check.detail, shrinks: 'wraps' },
      ],
      { ...tableOn(output), width },
    )
    const hints = checks.flatMap((check) =>
      check.hint === undefined
        ? []
        : [
            `${looks[check.status](SIGNS[check.status])} ${wrapWords(`${visible(check.name)}: ${visible(check.hint)}`, width - 2, '  ', measure)}`,
          ],
    )
    return hints.length === 0 ? table : `${table}\n\n${inLanguage.keep(hints.join('\n'))}`
  }
  await output.result(all, table, ['name', 'status', 'detail', 'hint', 'ms'])
}

const inWords = (check: Check, inLanguage: Words): Check => ({
  ...check,
  name: inLanguage(check.name),
  detail: inLanguage(check.detail),
  ...(check.hint === undefined ? {} : { hint: inLanguage(check.hint) }),
})

/** Returns the checks, with one row in place of many skipped checks at the end. Otherwise the failures above them would scroll away. */
function withoutTail(checks: readonly Check[]): readonly Check[] {
  const last = checks.at(-1)
  const alike = ({ status, detail }: Check) => status === 'skipped' && detail === last?.detail
  const from = checks.findLastIndex((check) => !alike(check)) + 1
  const count = checks.length - from
  if (last === undefined || count <= MANY_SKIPPED) return checks
  return [...checks.slice(0, from), { ...last, name: `${count} more checks` }]
}

/** Returns checks as test cases of a JUnit report. */
export function casesOf(checks: readonly Check[]): JUnitCase[] {
  return checks.map(({ name, status, detail, ms }) => ({
    name,
    ms,
    ...(status === 'fail' ? { failure: detail } : status === 'skipped' ? { skipped: detail } : {}),
  }))
}

/** Throws `check-failed` when a check failed, or when no check ran. */
export function judge(checks: readonly Check[]): void {
  const failed = checks.filter(({ status }) => status === 'fail')
  const ran = checks.filter(({ status }) => status !== 'skipped')
  if (ran.length > 0 && failed.length === 0) return
  throw new BnplError(
    'check-failed',
    ran.length === 0
      ? 'no check ran'
      : `${failed.length} of ${ran.length} checks failed: ${failed.map(({ name }) => `“${name}”`).join(', ')}`,
    { code: 'CHECK_FAILED' },
  )
}
