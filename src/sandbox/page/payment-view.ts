import { costOfCredit, type InstallmentOption } from '../../domain/installments.ts'
import { type Html, html } from '../../text/escaping.ts'
import type { PageTexts } from '../languages/en.ts'
import { amountIn, dateIn, percentIn, TEXTS } from '../languages/languages.ts'
import type { PaymentSession } from '../service/payments.ts'
import { icon, layout, withName } from './layout.ts'
import { formAddress, returnAddress, VISIT_FIELDS, type Visit, visitAddress } from './visit.ts'
import { wayBack } from './way-back.ts'

/**
 * Returns the page of a payment: the purchase, the plans, and the buttons to confirm and cancel.
 * @param refusedOption whether the last form chose a plan that is not offered
 */
export function paymentView(visit: Visit, session: PaymentSession, refusedOption = false): Html {
  const texts = TEXTS[visit.language].page
  const payable = session.selected !== undefined || session.options.length > 0
  return layout({
    visit,
    title: `${texts.payAt(session.merchantName)} · bnpl`,
    aside: purchase(session, texts),
    main: html`<form class="card" method="post" action="${formAddress(visit)}" data-payment>
${VISIT_FIELDS.map((name) => hiddenField(name, visit.fields.get(name)))}
${payable && timer(session, texts)}
${refusedOption && html`<p class="notice error" role="alert">${texts.badOption}</p>`}
${plans(session, texts, `${texts.firstDueLabel}: ${dateIn(visit.language, session.firstDueDate)}`)}
<div class="actions" data-actions>
${payable && confirmButton(texts)}
<button class="${payable ? 'quiet' : 'primary'}" name="action" value="cancel" formnovalidate data-working="${texts.cancelling}">${texts.cancel}</button>
</div>
<p class="notice error" role="alert" data-offline hidden>${texts.offline}</p>
${expiredNotice(visit, session, texts)}
</form>`,
    ...(visit.place?.kind === 'hosted' ? { returning: new URL(visit.place.success).host } : {}),
    next: { seconds: Math.ceil(session.remainingMs / 1000) + 1, address: visitAddress(visit) },
  })
}

function purchase(session: PaymentSession, texts: PageTexts): Html {
  return html`<section class="purchase">
<span class="initial" aria-hidden="true">${[...session.merchantName.trim()][0] ?? '·'}</span>
<h1>${withName(texts.payAt, session.merchantName)}</h1>
<p class="order">${texts.order} <bdi>${session.externalTrxId}</bdi></p>
<p class="amount"><span class="label">${texts.amount}</span> <strong>${amountIn(texts, session.amount)}</strong></p>
</section>`
}

function timer(session: PaymentSession, texts: PageTexts): Html {
  const seconds = Math.max(0, Math.ceil(session.remainingMs / 1000))
  const clock = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
  return html`<p class="timer"><span>${texts.timeLeft}</span> <span class="clock" role="timer" aria-label="${texts.timeLeft}" data-expires-in="${session.remainingMs}" data-announcements="${JSON.stringify(texts.announcements)}">${clock}</span></p>
<p class="unseen" role="status" data-announcer></p>`
}

function plans(session: PaymentSession, texts: PageTexts, firstDue: string): Html {
  const { selected, options } = session
  if (selected !== undefined) {
    return html`<h2>${texts.chosen}</h2>
<p class="hint">${texts.chosenDetail}<br>${firstDue}</p>
<input type="hidden" name="installments" value="${selected.installments}" data-confirm="${confirmText(selected, texts)}">
<div class="${plansClass([selected])}"><div class="plan only">${planText(selected, session.amount, texts)}</div></div>`
  }
  if (options.length === 0) {
    return html`<h2>${texts.noOptions}</h2>
<p class="hint">${texts.noOptionsDetail}</p>`
  }
  return html`<fieldset class="${plansClass(options)}">
<legend><h2>${texts.choose}</h2><p class="hint">${firstDue}</p></legend>
${options.map(
  (option, index) => html`<label class="plan">
<input type="radio" name="installments" value="${option.installments}" required${index === 0 ? html` checked` : ''} data-confirm="${confirmText(option, texts)}">
${planText(option, session.amount, texts)}
</label>`,
)}
</fieldset>`
}

/** On a phone, an amount of at least this size gets its own line. */
const LONG_AMOUNT = 1_000_000

function plansClass(options: readonly InstallmentOption[]): string {
  const longEach = options.some(({ amount }) => amount >= LONG_AMOUNT) ? ' long-each' : ''
  return `plans${longEach}`
}

function planText(option: InstallmentOption, amount: number, texts: PageTexts): Html {
  const { cost, share } = costOfCredit(option, amount)
  const costText =
    cost === 0
      ? texts.noCost
      : html`${texts.cost} ${amountIn(texts, cost)} <span class="share">(${percentIn(texts, share)})</span>`
  return html`<span class="plan-text">
<span class="plan-main"><span class="plan-count">${texts.count(option.installments)}</span> <span class="plan-each">${amountIn(texts, option.amount)} <span class="per">${texts.aMonth}</span></span></span>
<span class="plan-cost"><span>${texts.total} ${amountIn(texts, option.total)}</span> <span>${costText}</span></span>
</span>`
}

function confirmText(option: InstallmentOption, texts: PageTexts): string {
  return texts.confirmPlan(option.installments, amountIn(texts, option.amount))
}

function confirmButton(texts: PageTexts): Html {
  return html`<button class="primary" name="action" value="confirm" data-working="${texts.working}" data-confirm-button>${texts.confirm}</button>
<p class="terms">${texts.terms}</p>`
}

function expiredNotice(visit: Visit, { preApproveId, externalTrxId }: PaymentSession, texts: PageTexts): Html {
  const error = visit.place?.kind === 'hosted' ? visit.place.error : undefined
  const back = error && wayBack(returnAddress(error, preApproveId, externalTrxId), 0, texts).actions
  return html`<div class="expired" role="alert" data-expired="${JSON.stringify({ outcome: 'expired', externalTrxId })}"><template>${icon('clock')}<h2>${texts.timeIsUp}</h2><p class="hint">${texts.timeIsUpDetail}</p>${back}</template></div>`
}

function hiddenField(name: string, value: string | null): Html {
  return value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}">`
}
