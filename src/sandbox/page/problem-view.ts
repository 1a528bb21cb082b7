import { type Html, html } from '../../text/html.ts'
import type { TokenProblem } from '../service/payments.ts'
import { icon } from './icons.ts'
import { layout } from './layout.ts'
import { returnAddress } from './return-address.ts'
import { TEXTS } from './texts.ts'
import type { BadParameter, Visit } from './visit.ts'

/** What each problem of a token is answered with. */
export const PROBLEM_STATUSES: Record<TokenProblem, number> = {
  missing: 400,
  forged: 400,
  'wrong-key': 403,
  used: 409,
  expired: 410,
}

/** A token that opens nothing: what that means, what to do, and a way back that says where it leads. Nothing redirects by itself. */
export function tokenProblemView(visit: Visit, problem: TokenProblem, externalTrxId: string | undefined): Html {
  const { title, meaning, advice } = TEXTS[visit.language].problems[problem]
  return problemCard(visit, title, meaning, advice, {
    sign: problem === 'expired' ? 'clock' : 'notice',
    // Whoever forged the token may have written the way back too: it is there, but nothing invites to take it.
    backLook: problem === 'forged' ? 'button quiet' : 'button',
    ...(externalTrxId === undefined ? {} : { externalTrxId }),
  })
}

/** An address that is incomplete or unsafe, naming every parameter that is wrong. */
export function badRequestView(visit: Visit): Html {
  const texts = TEXTS[visit.language]
  return problemCard(visit, texts.badRequest, texts.badRequestMeaning, texts.badRequestAdvice, {
    details: html`<ul class="faults">${visit.bad.map((bad) => html`<li><code>${bad.name}</code> ${badParameter(bad, visit)}</li>`)}</ul>`,
  })
}

/** A form that could not be understood. */
export function badFormView(visit: Visit): Html {
  const texts = TEXTS[visit.language]
  return problemCard(visit, texts.badForm, texts.badFormMeaning, texts.badFormAdvice)
}

/** An address under the payment page that is no page. */
export function notFoundView(visit: Visit): Html {
  const texts = TEXTS[visit.language]
  return problemCard(visit, texts.notFound, texts.notFoundMeaning, texts.problems.missing.advice)
}

interface Extras {
  sign?: 'notice' | 'clock'
  backLook?: 'button' | 'button quiet'
  details?: Html
  externalTrxId?: string
}

function problemCard(visit: Visit, title: string, meaning: string, advice: string, extras: Extras = {}): Html {
  const texts = TEXTS[visit.language]
  const back = visit.wayBack
  return layout({
    visit,
    title: `${title} · bnpl`,
    main: html`<section class="card result problem">
${icon(extras.sign ?? 'notice')}
<h1>${title}</h1>
<p class="hint">${meaning}</p>
${extras.details}
<p class="advice">${advice}</p>
${back !== undefined && html`<div class="actions"><a class="${extras.backLook ?? 'button'}" rel="noreferrer" href="${returnAddress(back, undefined, extras.externalTrxId)}">${texts.returnTo(back.host)}</a></div>`}
</section>`,
  })
}

function badParameter({ name, value }: BadParameter, visit: Visit): Html {
  const texts = TEXTS[visit.language]
  if (value === '') return html`${texts.missingParameter}`
  const rule = name === 'parentOrigin' ? texts.unsafeOrigin : texts.unsafeAddress
  return html`${rule} <code class="received">${showControls(value.slice(0, 200))}</code>`
}

/** Control characters as the pictures Unicode has for them, so that what is wrong can be seen. */
function showControls(text: string): string {
  return text.replace(/[\u0000-\u001f]/g, (character) => String.fromCodePoint(0x2400 + character.charCodeAt(0)))
}
