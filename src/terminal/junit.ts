import { visible } from './text.ts'

/** One test case of a JUnit report. */
export interface JUnitCase {
  name: string
  /** Duration in ms. */
  ms: number
  failure?: string
  skipped?: string
}

/** A JUnit report, as CI servers read it (the form that Jenkins, GitLab and GitHub actions share). @param suite its name */
export function toJUnit(suite: string, cases: readonly JUnitCase[], timestamp: string): string {
  const failures = cases.filter((each) => each.failure !== undefined).length
  const skipped = cases.filter((each) => each.skipped !== undefined).length
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds(sum(cases))}"`
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
    `<testsuites name="${xmlText(suite)}" ${counts}>`,
    `  <testsuite name="${xmlText(suite)}" ${counts} timestamp="${xmlText(timestamp)}">`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const sum = (cases: readonly JUnitCase[]) => cases.reduce((total, { ms }) => total + ms, 0)
const seconds = (ms: number) => (ms / 1000).toFixed(3)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text for XML: what XML 1.0 cannot hold (control characters) is made visible first. */
function xmlText(text: string): string {
  return visible(text)
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
