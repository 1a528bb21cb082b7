import type { Language } from '../../contract/languages.ts'
import { type Html, html } from '../../text/escaping.ts'
import { amountIn, dateIn, TEXTS } from '../languages/languages.ts'
import type { Ended } from './checkout.ts'
import { icon, layout, withName } from './layout.ts'
import { returnAddress, type Visit } from './visit.ts'
import { wayBack } from './way-back.ts'

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
    ...(back?.next ? { next: back.next } : {}),
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
function endAttributes(visit: Visit, { outcome, preApproveId, externalTrxId }: Ended['end']): Html {
  if (visit.place?.kind !== 'embedded') return html``
  if (outcome === 'paid') return html` data-success="${JSON.stringify({ preApproveId, externalTrxId })}"`
  return html` data-ended="${JSON.stringify({ outcome, externalTrxId })}"`
}
