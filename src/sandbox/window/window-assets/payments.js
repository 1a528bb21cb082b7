// Payments: each transaction as a line through its steps.
import { commandLine, optionWords } from './command-line.js'
import { h, named } from './dom.js'
import { createPane } from './pane.js'
import { button, command, copyButton, facts, field, pill, run, section } from './pieces.js'
import { reportSection } from './report.js'
import { act, callService, show } from './server.js'
import { scheduleChart, stepLine } from './steps.js'
import { t } from './texts.js'
import { amount, countingDown } from './time.js'

/** @type {Record<string, string>} */
const LOOKS = { paid: 'good', open: 'live', selected: 'plain', evaluated: 'plain', cancelled: 'warn' }

const EMAIL = 'cliente@example.com'

/** The account of that name ('' for the BNPL one), and how it calls the service. @param {string} name */
async function account(name) {
  const { partners, endpoints } = await show('controls')
  const found = partners.find((/** @type {any} */ partner) =>
    name === '' ? partner.product === 'bnpl' : partner.name === name,
  )
  return {
    ...found,
    /** @param {string} endpoint @param {Record<string, string>} fields @param {string} [id] what stands in the path */
    call(endpoint, fields, id = '') {
      const { path } = endpoints.find((/** @type {any} */ each) => each.name === endpoint)
      return callService(found.apiKey, path.replace(/\{\w+\}/, encodeURIComponent(id)), fields)
    },
  }
}

export function createPayments() {
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
      stepLine(payment),
      h('span', { class: 'sum' }, amount(payment.amount)),
      pill(t.states[/** @type {'paid'} */ (payment.state)], LOOKS[payment.state] ?? 'bad'),
    ],
    load: (key) => {
      const [partner, externalTrxId] = JSON.parse(key)
      return show('payment', { partner, externalTrxId })
    },
    drawItem,
    empty: () => [
      h('p', {}, t.noPayments),
      h('p', { class: 'soft' }, t.noPaymentsHow),
      command('bnpl walkthrough -p sandbox'),
    ],
    top: h('div', { class: 'toolbar' }, newPayment()),
  })
  return pane
}

function newPayment() {
  const customer = h('select', { name: 'customer' })
  const sum = h('input', {
    name: 'amount',
    inputmode: 'numeric',
    pattern: '\\d+',
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
        void run(form, evaluate)
      },
      input: showLine,
    },
    field(t.customer, customer),
    field(t.amount, sum),
    field(t.transaction, trx),
    h('button', { type: 'submit', class: 'primary' }, t.evaluateNow),
    line,
  )
  const toggle = h(
    'button',
    { type: 'button', class: 'primary', 'aria-expanded': 'false', click: () => void open() },
    t.newPayment,
  )

  async function open() {
    form.hidden = !form.hidden
    toggle.setAttribute('aria-expanded', String(!form.hidden))
    if (form.hidden) return
    nextTransaction()
    const { customers } = await show('controls')
    customer.replaceChildren(
      ...customers.map((/** @type {any} */ { rut, fate }) =>
        h('option', { value: rut }, `${rut} · ${t.fates[/** @type {'slow'} */ (fate)]}`),
      ),
    )
    showLine()
    customer.focus()
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
    const { call, entityId, name } = await account('')
    const externalTrxId = trx.value
    const fields = { idNumber: customer.value, amount: sum.value, entityId, externalTrxId }
    try {
      await call('evaluate', fields)
    } finally {
      // A customer who is refused is kept too; a call that failed left nothing to look at.
      const isKept = (await show('payment', { partner: name, externalTrxId })) !== null
      if (isKept) window.location.hash = `#/payments/${encodeURIComponent(JSON.stringify([name, externalTrxId]))}`
    }
    nextTransaction()
    return t.evaluatedNow(externalTrxId)
  }

  return [toggle, form]
}

/** @param {any} payment */
function drawItem(payment) {
  const { partner, externalTrxId, state, evaluated, selected, token, loan } = payment
  return [
    h(
      'header',
      {},
      h('h2', {}, named(externalTrxId)),
      pill(t.states[/** @type {'paid'} */ (state)], LOOKS[state] ?? 'bad'),
    ),
    stepLine(payment, true),
    state === 'open' && h('p', { class: 'big-clock' }, t.tokenLeft, ' ', countingDown(token.expiresAt, h('time', {}))),
    facts([
      [t.partner, named(partner)],
      [t.amount, amount(payment.amount)],
      ...(evaluated
        ? [
            /** @type {[string, any]} */ ([
              t.customer,
              `${evaluated.customer} · ${t.fates[/** @type {'slow'} */ (evaluated.fate)]}`,
            ]),
          ]
        : []),
      ...(evaluated
        ? [
            /** @type {[string, any]} */ ([
              t.preApproveId,
              [h('code', {}, evaluated.preApproveId), ' ', copyButton(evaluated.preApproveId, t.copy)],
            ]),
          ]
        : []),
    ]),
    (evaluated?.outcome === 'approved' || state === 'open') && section(t.actions, actions(payment)),
    loan && section(t.schedule, scheduleChart(loan)),
    evaluated?.options.length > 0 &&
      section(t.offered, options(evaluated.options, selected?.installments ?? loan?.periods)),
    reportSection(payment.report, evaluated?.preApproveId, payment.profile),
  ]
}

/** @param {any[]} offered @param {number | undefined} chosen */
function options(offered, chosen) {
  return h(
    'ul',
    { class: 'options' },
    offered.map(({ installments, amount: each, total }) =>
      h(
        'li',
        { class: installments === chosen ? 'chosen' : '' },
        h('strong', {}, t.instalments(installments)),
        h('span', {}, t.each(amount(each))),
        h('span', { class: 'soft' }, t.total(amount(total))),
        installments === chosen && pill(t.chosen, 'good'),
      ),
    ),
  )
}

/** @param {any} payment */
function actions({ partner, profile, externalTrxId, state, amount: sum }) {
  const pay = (/** @type {boolean} */ reject) => async () =>
    t.paidNow((await act('pay', { externalTrxId, partner, reject })).outcome)
  const verify = async () => {
    const { call } = await account(partner)
    return t.verifiedNow((await call('verifyLoan', {}, externalTrxId)).state)
  }
  const owner = profile === 'sandbox' ? '' : optionWords('--partner', partner)
  // Customers are sent back over https, or to this machine.
  const back = window.isSecureContext ? `${window.location.origin}/` : 'https://shop.example/'
  const openPage = async () => {
    const { call, publicKey, entityId } = await account(partner)
    const fields = { amount: String(sum), externalTrxId, entityId, email: EMAIL }
    const { widgetToken } = await call('startWidget', fields)
    const query = new URLSearchParams({ widgetToken, publicKey, successReturnUrl: back, errorReturnUrl: back })
    window.open(`/pay/?${query}`, '_blank', 'noopener')
    return t.pageReady
  }
  if (state === 'paid')
    return [
      h('div', { class: 'buttons' }, button(t.verify, verify)),
      command(commandLine('bnpl verify', [externalTrxId], `-p ${profile}`)),
    ]
  return [
    h(
      'div',
      { class: 'buttons' },
      button(t.pay, pay(false), { kind: 'primary' }),
      button(t.reject, pay(true)),
      button(t.openPage, openPage),
    ),
    command(commandLine('bnpl sandbox pay', [externalTrxId], owner)),
    command(commandLine('bnpl sandbox pay', [externalTrxId], `${owner} --reject`.trim())),
    command(
      `bnpl pay-url -p ${profile} ${optionWords('--trx', externalTrxId)} --amount ${sum} --email ${EMAIL} --success-url ${back} --error-url ${back} --open`,
    ),
  ]
}
