/** @import { LeadView, Lists } from '../views/rows.ts' */
/** @import { Child } from './dom.js' */
import { h, named } from './dom.js'
import { createPane } from './pane.js'
import { button, command, facts, pill, shortId } from './pieces.js'
import { reportSection } from './report.js'
import { act, show } from './server.js'
import { fill, t } from './texts.js'
import { amount, countingDown, when, whenAgo } from './time.js'

export function createLeads() {
  return createPane({
    name: 'leads',
    title: t.leads,
    keyOf: ({ leadId }) => leadId,
    drawRow: (lead) => [
      h(
        'span',
        { class: 'main-text' },
        h('strong', {}, named(lead.name)),
        h('span', { class: 'soft' }, named(lead.partner)),
      ),
      h('span', { class: 'soft wide' }, when(lead.createdAt)),
      h('span', { class: 'sum' }, lead.amount === null ? '' : amount(lead.amount)),
      state(lead),
    ],
    load: (leadId) => show('lead', { leadId }),
    drawItem,
    empty: () => [h('p', {}, t.noLeads), h('p', { class: 'soft' }, t.noLeadsHow)],
    top: h(
      'div',
      { class: 'toolbar' },
      command('bnpl sandbox lead'),
      button(t.newLead, async () => fill(t.leadMade, { name: (await act('lead')).partner }), { kind: 'primary' }),
    ),
  })
}

/** @param {LeadView} lead */
function state({ outcome, evaluateAt }) {
  if (outcome !== null) return pill(t.outcomes[outcome], outcome === 'approved' ? 'good' : 'bad')
  return h('span', { class: 'pill live' }, t.dueIn, ' ', countingDown(evaluateAt, h('time', {})))
}

/** @param {Lists['leads']['item']} lead */
function drawItem(lead) {
  /** @type {[string, Child][]} */
  const pairs = [
    [t.partner, named(lead.partner)],
    [t.customer, [lead.customer, ' · ', named(lead.place)]],
    [t.created, whenAgo(lead.createdAt)],
    [t.leadId, shortId(lead.leadId, t.leadId)],
  ]
  if (lead.projectId !== null) pairs.push([t.project, named(lead.projectId)])
  if (lead.amount !== null) pairs.push([t.amount, amount(lead.amount)])
  if (lead.preApproveId !== null)
    pairs.push([t.evaluatedAt, whenAgo(lead.evaluateAt)], [t.preApproveId, shortId(lead.preApproveId, t.preApproveId)])
  return [
    h('header', {}, h('h2', {}, named(lead.name)), state(lead)),
    facts(pairs),
    lead.preApproveId !== null && reportSection(lead.report, lead.preApproveId, lead.profile),
  ]
}
