import { type Html, html } from '../../text/escaping.ts'
import { shortened } from '../../text/visible.ts'
import type { PageTexts } from '../languages/en.ts'
import { TEXTS } from '../languages/languages.ts'
import type { ClosedPayment, TokenProblem } from '../service/payments.ts'
import { icon, layout, withName } from './layout.ts'
import { type BadParameter, returnAddress, type Visit } from './visit.ts'
import { wayBack } from './way-back.ts'

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
    ...(closed === undefined ? {} : { closed }),
    ...(hasEnded ? { endShownMs: sinceShownMs } : {}),
    ended: hasEnded ? { outcome: 'expired', externalTrxId: closed.externalTrxId } : { outcome: 'error', problem },
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
  closed?: ClosedPayment
  /** What the widget reports to the page of the shop. */
  ended?: { outcome: 'expired'; externalTrxId: string } | { outcome: 'error'; problem: TokenProblem }
  /** How many ms ago the end of the payment was first shown. If undefined, the page does not redirect. */
  endShownMs?: number
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
    ...(back?.next ? { next: back.next } : {}),
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
