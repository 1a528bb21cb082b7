/** @import { ReportView } from '../views/rows.ts' */
import { commandLine } from './command-line.js'
import { h } from './dom.js'
import { command, section } from './pieces.js'
import { fill, t } from './texts.js'

/** @param {ReportView | null} report @param {string} preApproveId @param {string} profile */
export function reportSection(report, preApproveId, profile) {
  if (report === null) return null
  const { file, pages } = report
  return section(
    t.report,
    h('p', {}, h('a', { href: file, class: 'button', 'data-key': 'report' }, t.reportFile)),
    command(commandLine('bnpl informe download', [preApproveId], `-p ${profile}`)),
    h(
      'div',
      { class: 'sheets', role: 'group', 'aria-label': t.sheets },
      pages.map((address, i) =>
        h(
          'a',
          { href: address, target: '_blank', rel: 'noopener', 'data-key': `sheet ${i}` },
          h('img', {
            src: address,
            alt: fill(t.sheet, { page: i + 1, pages: pages.length }),
            width: 595,
            height: 842,
            loading: 'lazy',
          }),
        ),
      ),
    ),
  )
}
