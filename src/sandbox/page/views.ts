import type { Language } from '../../contract/languages.ts'
import { costOfCredit, type InstallmentOption } from '../../domain/installments.ts'
import { type Html, html } from '../../text/escaping.ts'
import { shortened } from '../../text/visible.ts'
import type { PageTexts } from '../languages/en.ts'
import { amountIn, dateIn, percentIn, TEXTS } from '../languages/languages.ts'
import type { ClosedPayment, PaymentSession, Question, TokenProblem } from '../service/payments.ts'
import type { Ended } from './checkout.ts'
import { icon, layout, wayBack, withName } from './layout.ts'
import { type BadParameter, formAddress, returnAddress, VISIT_FIELDS, type Visit, visitAddress } from './visit.ts'
import { eventsBefore, eventsUntil, expiredEnd, problemEnd, unpaidEnd, type WidgetEnd } from './widget-messages.ts'

/** Why the page asks the same question again. `typed` is what the customer typed. */
interface Notice {
  problem: 'bad-option' | 'bad-id' | 'unavailable' | 'wrong-code'
  typed?: string
}

/** Returns the page of a payment: the purchase, what the page asks the customer, and the buttons to go on and to cancel. */
export function paymentView(visit: Visit, session: PaymentSession, notice?: Notice): Html {
  const texts = TEXTS[visit.language].page
  const { asks } = session
  const payable = asks !== 'option' || session.selected !== undefined || session.options.length > 0
  return layout({
    visit,
    title: `${texts.payAt(session.merchantName)} · bnpl`,
    events: eventsBefore(session),
    aside: purchase(session, texts),
    main: html`<form class="card" method="post" action="${formAddress(visit)}" data-payment data-asks="${asks}">
${VISIT_FIELDS.map((name) => hiddenField(name, visit.fields.get(name)))}
${payable && timer(session, texts)}
${notice !== undefined && html`<p class="notice error" role="alert" id="problem">${texts.notices[notice.problem]}</p>`}
${asks === 'option' ? plans(session, texts, `${texts.firstDueLabel}: ${dateIn(visit.language, session.firstDueDate)}`) : question(asks, session, texts, notice)}
<div class="actions" data-actions>
${asks === 'option' ? payable && confirmButton(texts) : html`<button class="primary" name="action" value="${ACTIONS[asks]}" data-working="${texts.asked[asks].working}">${texts.asked[asks].go}</button>`}
<button class="${payable ? 'quiet' : 'primary'}" name="action" value="cancel" formnovalidate data-working="${texts.cancelling}">${texts.cancel}</button>
</div>
<p class="notice error" role="alert" data-offline hidden>${texts.offline}</p>
${expiredNotice(visit, session, texts)}
</form>`,
    returning: visit.place?.kind === 'hosted' ? new URL(visit.place.success).host : undefined,
    next: { seconds: Math.ceil(session.remainingMs / 1000) + 1, address: visitAddress(visit) },
  })
}

/** The action that the form sends when the customer answers a question. */
const ACTIONS: Readonly<Record<Exclude<Question, 'option'>, string>> = {
  'id-number': 'identify',
  subscription: 'subscribe',
  signature: 'sign',
  code: 'code',
}

/** Returns a question beside that for the option. The id and the code are typed into a field. */
function question(
  asks: Exclude<Question, 'option'>,
  { chosen }: PaymentSession,
  texts: PageTexts,
  notice: Notice | undefined,
): Html {
  const { title, detail } = texts.asked[asks]
  const wrong = notice !== undefined && html` aria-invalid="true" aria-describedby="problem"`
  const plan =
    chosen && html`<p class="hint chosen">${texts.plan(chosen.installments, amountIn(texts, chosen.amount))}</p>`
  return html`<h2>${title}</h2>
<p class="hint">${detail}</p>
${plan}
${asks === 'id-number' && html`<label class="answer"><span>${texts.idNumber}</span><input name="idNumber" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="12.345.678-5" value="${notice?.typed ?? ''}"${wrong}></label>`}
${asks === 'code' && html`<label class="answer"><span>${texts.code}</span><input name="code" required maxlength="12" inputmode="numeric" autocomplete="one-time-code"${wrong}></label>`}`
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

function expiredNotice(visit: Visit, session: PaymentSession, texts: PageTexts): Html {
  const { preApproveId, externalTrxId } = session
  const error = visit.place?.kind === 'hosted' ? visit.place.error : undefined
  const back = error && wayBack(returnAddress(error, preApproveId, externalTrxId), 0, texts).actions
  return html`<div class="expired" role="alert" data-expired="${JSON.stringify(expiredEnd(session))}"><template>${icon('clock')}<h2>${texts.timeIsUp}</h2><p class="hint">${texts.timeIsUpDetail}</p>${back}</template></div>`
}

function hiddenField(name: string, value: string | null): Html {
  return value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}">`
}

/** Returns the page with the result of a payment. If `backAddress` returns an address, the page leads the customer to it. */
export function resultView(visit: Visit, ended: Ended, sinceShownMs: number): Html {
  const texts = TEXTS[visit.language].page
  const { session, end } = ended
  const outcome = texts.outcomes[end.outcome]
  const address = backAddress(visit, ended)
  const back = address === undefined ? undefined : wayBack(address, sinceShownMs, texts)
  return layout({
    visit,
    title: `${outcome.title} · bnpl`,
    events: eventsUntil(ended),
    main: html`<section class="card result ${end.outcome}"${endAttributes(visit, end)}>
<div class="verdict">
${icon(end.outcome)}
<h1>${outcome.title}</h1>
<p class="hint">${withName(outcome.detail, session.merchantName)}</p>
</div>
<div class="rest">
${receipt(ended, visit.language)}
${back?.actions}
${address === undefined && end.outcome === 'paid' && html`<p class="hint">${texts.embeddedEnd}</p>`}
</div>
</section>`,
    next: back?.next,
  })
}

/** Returns the address to which a customer returns after the payment; undefined if the customer does not return. */
export function backAddress(visit: Visit, { end, back }: Pick<Ended, 'end' | 'back'>): string | undefined {
  if (visit.place?.kind !== 'hosted' || back === undefined) return undefined
  const target = end.outcome === 'paid' ? visit.place.success : visit.place.error
  return returnAddress(target, back.preApproveId, back.externalTrxId)
}

function receipt({ session, option, end }: Ended, language: Language): Html {
  const texts = TEXTS[language].page
  const rows: [string, string | undefined][] = [
    [texts.amount, amountIn(texts, session.amount)],
    [
      texts.planLabel,
      end.outcome === 'paid' && option ? texts.plan(option.installments, amountIn(texts, option.amount)) : undefined,
    ],
    [texts.total, end.outcome === 'paid' && option ? amountIn(texts, option.total) : undefined],
    [texts.firstDueLabel, end.firstDueDate && dateIn(language, end.firstDueDate)],
    [texts.order, end.externalTrxId],
    [texts.preApproval, end.preApproveId],
  ]
  return html`<dl class="receipt">
${rows.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}
</dl>`
}

/**
 * Returns the attributes whose values the script of an embedded page sends to `widget.js`. The specification ("Widget callbacks") describes
 * only success, so the other values are the sandbox's own.
 */
function endAttributes(visit: Visit, end: Ended['end']): Html {
  if (visit.place?.kind !== 'embedded') return html``
  const { preApproveId, externalTrxId } = end
  const unpaid = unpaidEnd(end)
  if (unpaid === undefined) return html` data-success="${JSON.stringify({ preApproveId, externalTrxId })}"`
  return html` data-ended="${JSON.stringify(unpaid)}"`
}

export const PROBLEM_STATUSES: Record<TokenProblem, number> = {
  missing: 400,
  forged: 400,
  'wrong-key': 403,
  used: 409,
  expired: 410,
}

/**
 * Returns the page for a token with which no payment can be opened. The page of an expired payment redirects to the merchant by itself.
 * @param closed the payment that a genuine token was made for
 */
export function tokenProblemView(
  visit: Visit,
  problem: TokenProblem,
  closed: ClosedPayment | undefined,
  sinceShownMs: number,
): Html {
  const { title, meaning, advice } = TEXTS[visit.language].page.problems[problem]
  const hasEnded = problem === 'expired' && closed !== undefined
  return problemCard(visit, title, meaning, advice, {
    sign: problem === 'expired' ? 'clock' : 'notice',
    // For a forged token, show no link back, because the person who forged it may also have chosen the return address.
    isLinkedBack: problem !== 'forged',
    closed,
    endShownMs: hasEnded ? sinceShownMs : undefined,
    ended: hasEnded ? expiredEnd(closed) : problemEnd(problem),
  })
}

/** Returns the page for an incomplete or unsafe address. It lists every wrong parameter. */
export function badRequestView(visit: Visit): Html {
  const texts = TEXTS[visit.language].page
  return problemCard(visit, texts.badRequest, texts.badRequestMeaning, texts.badRequestAdvice, {
    details: html`<ul class="faults">${visit.bad.map((bad) => html`<li><code>${bad.name}</code> ${badParameter(bad, visit)}</li>`)}</ul>`,
  })
}

/** Returns the page for a form that could not be understood. */
export function badFormView(visit: Visit): Html {
  const texts = TEXTS[visit.language].page
  return problemCard(visit, texts.badForm, texts.badFormMeaning, texts.badFormAdvice)
}

/** Returns the page for an unknown address, such as `/pay/abc`. */
export function notFoundView(visit: Visit): Html {
  const texts = TEXTS[visit.language].page
  return problemCard(visit, texts.notFound, texts.notFoundMeaning, texts.problems.missing.advice)
}

interface Extras {
  sign?: 'notice' | 'clock'
  isLinkedBack?: boolean
  details?: Html
  closed?: ClosedPayment | undefined
  /** What the widget reports to the page of the shop. */
  ended?: WidgetEnd
  /** How many ms ago the end of the payment was first shown. If undefined, the page does not redirect. */
  endShownMs?: number | undefined
}

function problemCard(visit: Visit, title: string, meaning: string, advice: string, extras: Extras = {}): Html {
  const texts = TEXTS[visit.language].page
  const { closed, endShownMs } = extras
  const address =
    extras.isLinkedBack === false
      ? undefined
      : visit.wayBack && returnAddress(visit.wayBack, closed?.preApproveId, closed?.externalTrxId)
  const back = address === undefined || endShownMs === undefined ? undefined : wayBack(address, endShownMs, texts)
  return layout({
    visit,
    title: `${title} · bnpl`,
    events: ['reject'],
    main: html`<section class="card result problem"${extras.ended && html` data-ended="${JSON.stringify(extras.ended)}"`}>
<div class="verdict">
${icon(extras.sign ?? 'notice')}
<h1>${title}</h1>
<p class="hint">${meaning}</p>
</div>
<div class="rest">
${extras.details}
<h2>${texts.whatToDo}</h2>
<p class="advice">${advice}</p>
${back?.actions ?? (address && linkBack(address, texts))}
</div>
</section>`,
    next: back?.next,
  })
}

function linkBack(address: string, texts: PageTexts): Html {
  return html`<div class="actions"><a class="button" rel="noreferrer" href="${address}"><span>${withName(texts.returnTo, new URL(address).host)}</span></a></div>`
}

function badParameter({ name, value }: BadParameter, visit: Visit): Html {
  const texts = TEXTS[visit.language].page
  if (value === '') return html`${texts.missingParameter}`
  const rule = name === 'parentOrigin' ? texts.unsafeOrigin : texts.unsafeAddress
  return html`${rule} <code class="received">${showControls(shortened(value, 200))}</code>`
}

function showControls(text: string): string {
  return text.replace(/[\u0000-\u001f]/g, (character) => String.fromCodePoint(0x2400 + character.charCodeAt(0)))
}
