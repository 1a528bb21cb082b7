/** @import { KeyedEndpoint } from '../../contract/endpoints.ts' */
/** @import { InstallmentOption } from '../../domain/installments.ts' */
/** @import { Lists, PaymentState } from '../views/rows.ts' */
/** @import { Child } from './dom.js' */
import { commandLine, optionWords } from './command-line.js'
import { h, named } from './dom.js'
import { keepFilter, keptFilter } from './kept.js'
import { createPane } from './pane.js'
import {
  button,
  command,
  commands,
  FieldError,
  facts,
  fateText,
  field,
  paidNow,
  pill,
  refusedAt,
  run,
  section,
  shortId,
} from './pieces.js'
import { reportSection } from './report.js'
import { showCallsOf } from './requests.js'
import { act, callService, show, showList } from './server.js'
import { scheduleChart, stepDots, stepLine, stepNames } from './steps.js'
import { counted, fill, t } from './texts.js'
import { amount, countingDown, whenAgo } from './time.js'

/** @type {Partial<Record<PaymentState, string>>} */
const LOOKS = {
  paid: 'good',
  open: 'live',
  waiting: 'live',
  selected: 'plain',
  evaluated: 'plain',
  cancelled: 'warn',
  refunded: 'warn',
}

/** @param {PaymentState} state */
const isOpen = (state) => state === 'open' || state === 'waiting'

const EMAIL = 'cliente@example.com'
const CUSTOMER = '11222333-9'

/** @param {string} name the name of an account or of its production variant; '' for the account of the product `bnpl` */
async function accountNamed(name) {
  const { partners, endpoints } = await show('controls')
  const account = partners.find((partner) =>
    name === '' ? partner.product === 'bnpl' : [partner.name, partner.production.name].includes(name),
  )
  if (account === undefined) throw new Error(t.gone)
  const keys = name === account.production.name ? account.production : { ...account, base: '' }
  return {
    ...account,
    ...keys,
    /**
     * @template {KeyedEndpoint} Name
     * @param {Name} endpoint @param {Record<string, string>} fields @param {string} [id] the parameter of the path
     */
    call(endpoint, fields, id = '') {
      const path = endpoints.find((each) => each.name === endpoint)?.path ?? ''
      return callService(endpoint, keys.apiKey, keys.base + path.replace(/\{\w+\}/, encodeURIComponent(id)), fields)
    },
  }
}

export function createPayments() {
  const search = h('input', {
    type: 'search',
    name: 'search',
    placeholder: 'order-1001',
    autocomplete: 'off',
    size: 14,
    input: narrow,
  })
  search.value = String(keptFilter('payments').search ?? '')
  const pane = createPane({
    name: 'payments',
    title: t.payments,
    keyOf: ({ partner, externalTrxId }) => JSON.stringify([partner, externalTrxId]),
    drawRow: (payment) => [
      h(
        'span',
        { class: 'main-text' },
        h('strong', {}, named(payment.externalTrxId)),
        h('span', { class: 'soft' }, named(payment.partner)),
      ),
      stepDots(payment),
      h('span', { class: 'sum' }, amount(payment.amount)),
      h(
        'span',
        { class: 'state-now' },
        pill(t.states[payment.state], LOOKS[payment.state] ?? 'bad'),
        isOpen(payment.state) &&
          payment.token &&
          countingDown(payment.token.expiresAt, h('time', { class: 'countdown' })),
      ),
    ],
    head: h(
      'div',
      { class: 'head', 'aria-hidden': 'true' },
      h('span', {}, t.transaction),
      stepNames(),
      h('span', { class: 'sum' }, t.amount),
      h('span', {}, t.state),
    ),
    load: async (key) => {
      const names = namesIn(key)
      return names && show('payment', names)
    },
    drawItem,
    empty: () => [
      h('p', {}, t.noPayments),
      h('p', { class: 'soft' }, t.noPaymentsHow),
      command('bnpl walkthrough -p sandbox'),
    ],
    filter: () => (search.value === '' ? {} : { search: search.value }),
    isFiltered: () => search.value !== '',
    clearFilter() {
      search.value = ''
      narrow()
    },
    async elsewhere() {
      const text = search.value
      const { total } = await showList('requests', { page: 0, search: text })
      if (total === 0) return null
      return h('button', { type: 'button', click: () => showCallsOf(text) }, counted(t.callsName, total))
    },
    top: h('div', { class: 'toolbar' }, field(t.search, search), newPayment()),
  })

  function narrow() {
    keepFilter('payments', { search: search.value })
    clearTimeout(waiting)
    waiting = window.setTimeout(() => void pane.narrowed(), 150)
  }
  let waiting = 0
  return pane
}

/** @param {string} key @returns {{ partner: string, externalTrxId: string } | null} */
function namesIn(key) {
  try {
    const [partner, externalTrxId] = JSON.parse(key)
    return typeof partner === 'string' && typeof externalTrxId === 'string' ? { partner, externalTrxId } : null
  } catch {
    return null
  }
}

/** Returns the digits of an amount such as `250.000`, `$250,000` or `250000`. @param {HTMLInputElement} input */
function wholeAmount(input) {
  const text = input.value.replace(/^\$|\s/g, '')
  if (!/^\d+$|^\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(text)) throw new FieldError(input, t.notAmount)
  return text.replace(/\D/g, '')
}

function newPayment() {
  const customer = h('select', { name: 'customer' })
  const sum = h('input', {
    name: 'amount',
    inputmode: 'numeric',
    value: '250000',
    required: true,
    size: 9,
  })
  const line = h('div', {})
  const trx = h('input', { name: 'trx', required: true, size: 14, autocomplete: 'off' })
  const form = h(
    'form',
    {
      class: 'inline-form',
      hidden: true,
      submit: (event) => {
        event.preventDefault()
        void run(form, refusedAt({ ERR_AMOUNT_OUT_OF_BOUNDS: sum, ERR_TRANSACTION_ALREADY_PAID: trx }, evaluate))
      },
      input: showLine,
    },
    field(t.customer, customer),
    field(t.amount, sum),
    field(t.transaction, trx),
    h('button', { type: 'submit', class: 'primary' }, t.evaluateNow),
    h('button', { type: 'button', click: () => toggle.click() }, t.close),
    line,
  )
  const toggle = h(
    'button',
    { type: 'button', class: 'primary', 'aria-expanded': 'false', click: () => void run(toggle, open) },
    t.newPayment,
  )

  async function open() {
    const isOpening = form.hidden
    const customers = isOpening ? (await show('controls')).customers : []
    form.hidden = !isOpening
    toggle.setAttribute('aria-expanded', String(isOpening))
    if (!isOpening) return undefined
    nextTransaction()
    customer.replaceChildren(
      ...customers.map(({ rut, fate }) => h('option', { value: rut }, `${rut} · ${t.fates[fate]}`)),
    )
    showLine()
    customer.focus()
    return undefined
  }

  function nextTransaction() {
    trx.value = `order-${Date.now().toString(36).slice(-5)}`
    showLine()
  }

  function showLine() {
    const words = `bnpl evaluate -p sandbox --rut ${customer.value} ${optionWords('--amount', sum.value)} ${optionWords('--trx', trx.value)}`
    line.replaceChildren(command(words))
  }

  async function evaluate() {
    const { call, entityId, name } = await accountNamed('')
    const externalTrxId = trx.value
    const fields = { idNumber: customer.value, amount: wholeAmount(sum), entityId, externalTrxId }
    try {
      await call('evaluate', fields)
    } finally {
      // A payment is stored even if the customer was refused. If the request itself failed, perhaps no payment was stored.
      const isKept = (await show('payment', { partner: name, externalTrxId })) !== null
      if (isKept) window.location.hash = `#/payments/${encodeURIComponent(JSON.stringify([name, externalTrxId]))}`
    }
    nextTransaction()
    return fill(t.evaluatedNow, { trx: externalTrxId })
  }

  return [toggle, form]
}

/** @param {Lists['payments']['item']} payment @returns {Child} */
function drawItem(payment) {
  const { partner, externalTrxId, state, evaluated, selected, token, loan } = payment
  /** @type {[string, Child][]} */
  const known = [
    [t.partner, named(partner)],
    [t.amount, amount(payment.amount)],
  ]
  if (evaluated) {
    const id = evaluated.preApproveId
    known.push([t.customer, [evaluated.customer, ' · ', fateText(evaluated.fate)]])
    known.push([t.evaluatedAt, whenAgo(evaluated.at)])
    known.push([t.preApproveId, shortId(id, t.preApproveId)])
  }
  if (token?.step) known.push([t.paymentStep, h('code', {}, token.step)])
  if (token?.reason) known.push([t.reason, h('code', {}, token.reason)])
  return [
    h('header', {}, h('h2', {}, named(externalTrxId)), pill(t.states[state], LOOKS[state] ?? 'bad')),
    stepLine(payment),
    state === 'waiting' && h('p', { class: 'soft' }, t.notEvaluated),
    loan?.cancelledAt && h('p', { class: 'soft' }, fill(t.refundOf, { sum: amount(loan.paidAmount) })),
    isOpen(state) &&
      token &&
      h('p', { class: 'big-clock' }, t.tokenLeft, ' ', countingDown(token.expiresAt, h('time', {}))),
    facts(known),
    (evaluated?.outcome === 'approved' || isOpen(state)) && section(t.actions, actions(payment)),
    loan && section(t.schedule, scheduleChart(loan)),
    evaluated !== null &&
      evaluated.options.length > 0 &&
      section(t.offered, options(evaluated.options, selected?.installments ?? loan?.periods)),
    evaluated !== null && reportSection(payment.report, evaluated.preApproveId, payment.profile),
  ]
}

/** @param {readonly InstallmentOption[]} offered @param {number | undefined} chosen */
function options(offered, chosen) {
  return h(
    'ul',
    { class: 'options' },
    offered.map(({ installments, amount: each, total }) =>
      h(
        'li',
        { class: installments === chosen ? 'chosen' : '' },
        h('strong', {}, counted(t.installments, installments)),
        h('span', {}, fill(t.each, { sum: amount(each) })),
        h('span', { class: 'soft' }, fill(t.total, { sum: amount(total) })),
        installments === chosen && pill(t.chosen, 'good'),
      ),
    ),
  )
}

/** @param {Lists['payments']['item']} payment */
function actions({ partner, profile, externalTrxId, state, amount: sum }) {
  // Without an evaluation, the customer of these buttons is the approved one. On the page, any RUT can be typed.
  const typed = state === 'waiting' ? { rut: CUSTOMER } : {}
  const pay = (/** @type {boolean} */ reject) => async () =>
    paidNow((await act('pay', { externalTrxId, partner, reject, ...typed })).outcome)
  const verify = async () => {
    const { call } = await accountNamed(partner)
    return fill(t.verifiedNow, { state: (await call('verifyLoan', {}, externalTrxId)).state })
  }
  const owner = [profile === 'sandbox' ? '' : optionWords('--partner', partner), typed.rut ? `--rut ${typed.rut}` : '']
    .join(' ')
    .trim()
  // A return address must use https or lead to this machine.
  const back = window.isSecureContext ? `${window.location.origin}/` : 'https://shop.example/'
  const openPage = async () => {
    const { call, publicKey, entityId, base } = await accountNamed(partner)
    const fields = { amount: String(sum), externalTrxId, entityId, email: EMAIL }
    const { widgetToken } = await call('startWidget', fields)
    if (typeof widgetToken !== 'string') throw new Error(t.gone)
    const query = new URLSearchParams({ widgetToken, publicKey, successReturnUrl: back, errorReturnUrl: back })
    window.open(`${base}/pay/?${query}`, '_blank', 'noopener')
    return t.pageReady
  }
  if (state === 'paid' || state === 'refunded')
    return [
      h('div', { class: 'buttons' }, button(t.verify, verify)),
      commands(command(commandLine('bnpl verify', [externalTrxId], `-p ${profile}`))),
    ]
  return [
    h(
      'div',
      { class: 'buttons' },
      // If the payment was rejected or cancelled, this button begins a new attempt, so it is not the main button.
      button(t.pay, pay(false), { kind: state === 'rejected' || state === 'cancelled' ? '' : 'primary' }),
      button(t.reject, pay(true)),
      button(t.openPage, openPage),
    ),
    commands(
      command(commandLine('bnpl sandbox pay', [externalTrxId], owner)),
      command(commandLine('bnpl sandbox pay', [externalTrxId], `${owner} --reject`.trim())),
      command(
        `bnpl pay-url -p ${profile} ${optionWords('--trx', externalTrxId)} --amount ${sum} --email ${EMAIL} --success-url ${back} --error-url ${back} --open`,
      ),
    ),
  ]
}
