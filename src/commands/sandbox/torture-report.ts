import { countOf } from '../../terminal/numbers.ts'
import { Html, html } from '../../text/escaping.ts'
import { maskWords } from '../../text/masking.ts'
import { visible } from '../../text/visible.ts'
import { tortureOf } from '../../torture/fault-table.ts'
import type { Finding } from '../../torture/findings.ts'
import type { Case, TortureReport } from '../../torture/torture.ts'
import type { ReportSort } from '../report-file.ts'

/** The reports of `bnpl sandbox torture` begin with this comment, so that another run recognizes them. */
const MARK = '<!-- written by bnpl sandbox torture -->'

export const PAGE: ReportSort = {
  option: '--report',
  named: 'a report of bnpl sandbox torture',
  begins: new RegExp(`^<!doctype html>${MARK}`),
}

export const BADGE: ReportSort = {
  option: '--badge',
  named: 'a badge of bnpl sandbox torture',
  begins: new RegExp(`^${MARK}<svg `),
}

const LINES = 12
const LINE_CHARACTERS = 500

/** Returns the last lines of a program's output, without personal data. */
export const lastLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .slice(-LINES)
    .map((line) => maskWords(line, LINE_CHARACTERS))

export function faultInWords({ fault, at }: Pick<Finding, 'fault' | 'at'>): string {
  const torture = tortureOf(fault)
  return torture === undefined ? 'none: this is the run without a fault' : `at ${at}: ${torture.does}`
}

/** Returns the calls of one run in one line. A delivery is answered by the shop. */
export const timelineInWords = (timeline: Case['timeline']): string =>
  timeline
    .map(
      ({ place, status, isDelivery }) =>
        `${place} ${status === 0 ? 'no answer' : isDelivery ? `answered ${status}` : status}`,
    )
    .join(' · ')

/** Returns the one line about a torture that a team can quote. */
export function scoreOf({ tried, causes, findings, notReached }: TortureReport): string {
  const found =
    causes.length === 0
      ? '0 findings'
      : `${countOf(findings.length, 'finding')} with ${countOf(causes.length, 'cause')}`
  return [
    countOf(tried - notReached.length, 'fault'),
    found,
    `${countOf(notReached.length, 'fault')} not reached`,
  ].join(', ')
}

/** Returns the score as an SVG image for a README. It is green only if faults were tried and nothing was found. */
export function badgeOf(report: TortureReport): string {
  const [left, right] = ['torture', scoreOf(report)]
  const isGood = report.findings.length === 0 && report.tried > report.notReached.length && report.isWhole
  const widthOf = (text: string) => 12 + Math.ceil(text.length * 6.6)
  const [first, second] = [widthOf(left), widthOf(right)]
  const text = (x: number, said: string) => html`<text x="${x}" y="14" text-anchor="middle">${said}</text>`
  const image = html`<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="20" role="img" aria-label="${left}: ${right}">
<rect width="${first}" height="20" fill="#444"/><rect x="${first}" width="${second}" height="20" fill="${isGood ? '#1a7f37' : '#b3261e'}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(first / 2, left)}${text(first + second / 2, right)}</g>
</svg>
`
  return `${MARK}${image.markup}`
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:0}section{border:1px solid #8886;border-left:4px solid #c33;border-radius:6px;padding:1rem;margin:1rem 0}
.good{border-left:4px solid #2a8f48;padding-left:1rem}dl{display:grid;grid-template-columns:7rem 1fr;gap:.3rem 1rem;margin:.8rem 0 0}dt{opacity:.7}
dd{margin:0;overflow-wrap:anywhere}pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}ul{margin:0;padding-left:1.2rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;border-bottom:1px solid #8884;padding:.25rem .5rem;vertical-align:top}
@media(max-width:36rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}`

/** Returns the report as a page that needs no other file. It contains no script, and every text of the shop is escaped. */
export function pageOf(report: TortureReport, writtenAt: string): string {
  const { causes, cases, notReached, accepted, customers } = report
  const term = (name: string, content: Html | string) => html`<dt>${name}</dt><dd>${content}</dd>`
  const sections = causes.map(({ cause, fix, findings }, at) => {
    const [example] = findings
    const its = cases.find(({ name }) => name === example?.id)
    const said = lastLines(its?.said ?? '')
    return html`<section><h2>${at + 1}. ${cause.slice(0, 1).toUpperCase()}${cause.slice(1)}</h2><dl>${[
      term('What to do', html`<strong>${fix}</strong>`),
      example && [
        term('Fault', faultInWords(example)),
        term('Expected', visible(example.expected, true)),
        term('Seen', visible(example.seen, true)),
        its && its.timeline.length > 0 && term('Calls', timelineInWords(its.timeline)),
        said.length > 0 && term('The shop', html`<pre>${visible(said.join('\n'), true)}</pre>`),
        term('Again', html`<pre>${visible(example.reproduce, true)}</pre>`),
      ],
      term(
        countOf(findings.length, 'finding'),
        html`<ul>${findings.map(({ id, invariant }) => html`<li>${id}: ${invariant}</li>`)}</ul>`,
      ),
    ]}</dl></section>`
  })
  const rows = cases.map(({ name, findings, happened }) => {
    const broken = findings.map(({ invariant }) => invariant).join(', ')
    return html`<tr><td>${name}</td><td>${happened ? broken || 'right' : 'not reached'}</td></tr>`
  })
  const notes = [
    notReached.length > 0 && `${countOf(notReached.length, 'fault')} did not reach the shop, and count neither way.`,
    customers !== undefined &&
      customers.returned < customers.sentBack &&
      `In the run without a fault, ${customers.returned} of ${countOf(customers.sentBack, 'customer')} returned from the payment page to the shop.`,
    accepted.length > 0 && `${countOf(accepted.length, 'finding')} accepted as known: ${accepted.join(', ')}.`,
    !report.isWhole && 'The torture was ended before its last run.',
  ].filter((note) => note !== false)
  const page = html`
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Torture: ${scoreOf(report)}</title><style>${new Html(STYLE)}</style></head>
<body><h1>Is the integration right?</h1>
<p${causes.length === 0 && html` class="good"`}><strong>${scoreOf(report)}</strong><br>${writtenAt}</p>
${notes.map((note) => html`<p>${note}</p>\n`)}${sections.map((section) => html`${section}\n`)}<details><summary>Every run</summary><table><tr><th>run</th><th>result</th></tr>${rows}</table></details>
</body></html>
`
  return `<!doctype html>${MARK}${page.markup}`
}
