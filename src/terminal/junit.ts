import { escapeHtml } from '../text/escaping.ts'
import { visible } from '../text/visible.ts'

export interface JUnitCase {
  name: string
  ms: number
  failure?: string
  skipped?: string
}

/** Returns a JUnit report that Jenkins, GitLab and GitHub Actions can read. `timestamp` is ISO 8601, in UTC. */
export function toJUnit(
  suite: string,
  cases: readonly JUnitCase[],
  timestamp: string,
  wallMs = cases.reduce((total, { ms }) => total + ms, 0),
): string {
  const failures = cases.filter((each) => each.failure !== undefined).length
  const skipped = cases.filter((each) => each.skipped !== undefined).length
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`
  const time = `time="${seconds(wallMs)}"`
  const lines = cases.map((each) => {
    const open = `    <testcase classname="${xmlText(suite)}" name="${xmlText(each.name)}" time="${seconds(each.ms)}"`
    if (each.failure !== undefined) {
      return `${open}>\n      <failure message="${xmlText(each.failure)}">${xmlText(each.failure)}</failure>\n    </testcase>`
    }
    return each.skipped === undefined
      ? `${open}/>`
      : `${open}>\n      <skipped message="${xmlText(each.skipped)}"/>\n    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // Some servers' schemas forbid a `skipped` attribute on `testsuites`, and a fraction or a time zone in `timestamp`.
    `<testsuites name="${xmlText(suite)}" ${counts} ${time}>`,
    `  <testsuite name="${xmlText(suite)}" ${counts} skipped="${skipped}" ${time} timestamp="${xmlText(timestamp.slice(0, 19))}">`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

/** Returns a text for XML. Control characters are made visible, because XML 1.0 does not allow them. */
const xmlText = (text: string): string => escapeHtml(visible(text).replace(/[\ufffe\uffff]/g, ''))
