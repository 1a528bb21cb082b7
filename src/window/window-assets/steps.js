/** @import { LoanView, PaymentView } from '../views/rows.ts' */
import { h, svg } from './dom.js'
import { fill, t } from './texts.js'
import { amount, countingDown, day, when } from './time.js'

/** @typedef {'done' | 'now' | 'bad' | 'left' | 'skipped'} StepState */

/** @param {PaymentView} payment @returns {{ name: string, state: StepState, at: string | null, until?: string }[]} */
function stepsOf({ state, evaluated, selected, token, loan, verified }) {
  const isOpen = state === 'open' || state === 'waiting'
  const failed = state === 'refused' || state === 'limited' ? state : undefined
  const ended = token?.outcome === 'rejected' || token?.outcome === 'cancelled' ? token.outcome : undefined
  /** @type {(is: boolean, otherwise: StepState) => StepState} */
  const done = (is, otherwise) => (is ? 'done' : otherwise)
  return [
    {
      name: failed ? t.ends[failed] : t.steps.evaluated,
      state: failed ? 'bad' : done(evaluated !== null, 'skipped'),
      at: evaluated?.at ?? null,
    },
    {
      name: t.steps.selected,
      state: done(selected !== null, token || loan ? 'skipped' : 'left'),
      at: selected?.at ?? null,
    },
    {
      name: state === 'expired' ? t.ends.expired : t.steps.token,
      state: state === 'expired' ? 'bad' : isOpen ? 'now' : done(token !== null, 'left'),
      at: (state === 'expired' ? token?.expiresAt : token?.at) ?? null,
      ...(isOpen && token ? { until: token.expiresAt } : {}),
    },
    {
      name: !loan && ended ? t.ends[ended] : t.steps.paid,
      state: loan ? 'done' : ended ? 'bad' : 'left',
      at: loan?.at ?? (ended ? (token?.endedAt ?? null) : null),
    },
    { name: t.steps.verified, state: done(verified !== null, 'left'), at: verified?.at ?? null },
  ]
}

/** Returns the steps of a payment with their names and times. @param {PaymentView} payment */
export const stepLine = (payment) =>
  h(
    'ol',
    { class: 'steps tall' },
    stepsOf(payment).map(({ name, state, at, until }) =>
      h(
        'li',
        { class: state },
        h('span', { class: 'dot', 'aria-hidden': 'true' }),
        h(
          'span',
          { class: 'step-name' },
          name,
          state !== 'skipped' && h('span', { class: 'unseen' }, `: ${t.stepStates[state]}`),
        ),
        until === undefined
          ? h('span', { class: 'when' }, at === null ? (state === 'skipped' ? t.stepStates.skipped : '') : when(at))
          : countingDown(until, h('time', { class: 'countdown' })),
      ),
    ),
  )

/** Returns the steps of a payment, for its row in the list of payments. Their names are in the head of the list. @param {PaymentView} payment */
export const stepDots = (payment) =>
  h(
    'ol',
    { class: 'steps' },
    stepsOf(payment).map(({ name, state }) =>
      h(
        'li',
        { class: state },
        h('span', { class: 'dot', 'aria-hidden': 'true' }),
        h('span', { class: 'unseen' }, `${name}: ${t.stepStates[state]}`),
      ),
    ),
  )

/** Returns the names of the steps, above their dots. */
export const stepNames = () =>
  h(
    'span',
    { class: 'steps' },
    Object.values(t.steps).map((name) => h('span', {}, name)),
  )

/** Returns a bar for each installment, with its date. @param {LoanView} loan */
export function scheduleChart(loan) {
  const { periods, installmentAmount, lastInstallmentAmount, installments, paidInstallments, paidAmount } = loan
  const sums = Array.from({ length: periods }, (_, i) =>
    i === periods - 1 ? lastInstallmentAmount : installmentAmount,
  )
  const most = Math.max(...sums, 1)
  const [width, height, top] = [560, 120, 22]
  const step = width / Math.max(periods, 3)
  const wide = Math.min(step * 0.62, 56)
  const labelled = (/** @type {number} */ i) =>
    periods <= 6 || i === 0 || i === periods - 1 || (periods <= 12 && i % 3 === 0)
  const isBetween = (/** @type {number} */ i) => i > 0 && i < periods - 1
  const bars = sums.map((sum, i) => {
    const tall = Math.max(3, (sum / most) * (height - top - 22))
    const [x, middle, base] = [i * step + (step - wide) / 2, i * step + step / 2, height - 20]
    return [
      svg('rect', {
        class: i < paidInstallments ? 'bar-fill paid' : 'bar-fill',
        x,
        y: base - tall,
        width: wide,
        height: tall,
        rx: 4,
      }),
      labelled(i) && periods <= 6 && svg('text', { class: 'bar-sum', x: middle, y: base - tall - 6 }, amount(sum)),
      labelled(i) &&
        svg(
          'text',
          { class: isBetween(i) ? 'bar-date between' : 'bar-date', x: middle, y: height - 5 },
          day(installments[i]?.expirationDate ?? ''),
        ),
    ]
  })
  const [first, last] = [installments[0], installments.at(-1)]
  const isEqual = installmentAmount === lastInstallmentAmount
  const text = fill(isEqual ? t.scheduleEqual : t.scheduleText, {
    count: periods,
    each: amount(installmentAmount),
    last: amount(lastInstallmentAmount),
    from: day(first?.expirationDate ?? ''),
    to: day(last?.expirationDate ?? ''),
  })
  return h(
    'figure',
    { class: 'chart' },
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': text }, bars),
    h('figcaption', {}, text),
    paidInstallments > 0 &&
      h('p', { class: 'soft' }, fill(t.paidOf, { paid: paidInstallments, count: periods, sum: amount(paidAmount) })),
  )
}
