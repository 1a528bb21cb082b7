/** @import { Part } from './pane.js' */
import { t } from './texts.js'

/**
 * A part of the page. Its script is loaded when the part is first shown, because the page needs only one of these scripts at first.
 * @typedef {object} PartPlan
 * @property {string} name of the part in the address
 * @property {string} title
 * @property {() => Promise<() => Part>} load loads the script, and returns the function that makes the part
 * @property {readonly string[]} tables the tables whose data the part shows
 */

/** @type {PartPlan} */
const PAYMENTS = {
  name: 'payments',
  title: t.payments,
  load: async () => (await import('./payments.js')).createPayments,
  tables: ['preApprovals', 'loanRequests', 'widgetSessions', 'loans', 'requests'],
}

/** @type {readonly PartPlan[]} */
export const PARTS = [
  PAYMENTS,
  {
    name: 'leads',
    title: t.leads,
    load: async () => (await import('./leads.js')).createLeads,
    tables: ['leads', 'preApprovals'],
  },
  {
    name: 'requests',
    title: t.requests,
    load: async () => (await import('./requests.js')).createRequests,
    tables: ['requests'],
  },
  {
    name: 'webhooks',
    title: t.webhooks,
    load: async () => (await import('./webhooks.js')).createWebhooks,
    tables: ['webhooks', 'deliveries', 'deliveryAttempts', 'events'],
  },
  {
    name: 'changes',
    title: t.changes.title,
    load: async () => (await import('./changes.js')).createChanges,
    tables: [
      'preApprovals',
      'loanRequests',
      'widgetSessions',
      'loans',
      'webhooks',
      'leads',
      'events',
      'deliveries',
      'deliveryAttempts',
      'requests',
      'faults',
      'partners',
    ],
  },
  {
    name: 'controls',
    title: t.controls,
    load: async () => (await import('./controls.js')).createControls,
    tables: ['faults', 'partners'],
  },
]

/** Returns the part and the item that the address names. If the address names no known part, returns the first part without an item. */
export function place() {
  const [, name = '', key = ''] = window.location.hash.split('/')
  const part = PARTS.find((each) => each.name === name)
  return part === undefined ? { part: PAYMENTS, key: '' } : { part, key: decoded(key) }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
