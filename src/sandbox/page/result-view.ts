import { REDIRECT_DELAY_MS } from '../../contract/widget.ts'
import { type Html, html } from '../../text/html.ts'
import type { Ended } from './checkout.ts'
import { figure } from './figures.ts'
import { icon } from './icons.ts'
import { layout } from './layout.ts'
import { returnAddress } from './return-address.ts'
import { TEXTS, type Texts } from './texts.ts'
import type { Visit } from './visit.ts'

/** The result, and the way back: by itself `REDIRECT_DELAY_MS` after it was first shown, or at once by the button. */
export function resultView(visit: Visit, ended: Ended, sinceShownMs: number): Html {
  const texts = TEXTS[visit.language]
  const { session, end } = ended
  const outcome = texts.outcomes[end.outcome]
  const address = backAddress(visit, end)
  const waitMs = REDIRECT_DELAY_MS - sinceShownMs
  const back = address !== undefined && wayBack(address, waitMs, texts)
  return layout({
    visit,
    title: `${outcome.title} · bnpl`,
    main: html`<section class="card result ${end.outcome}"${successAttributes(visit, end)}>
${icon(end.outcome)}
<h1>${outcome.title}</h1>
<p class="hint">${outcome.detail(session.merchantName)}</p>
${receipt(ended, texts)}
${back}
${address === undefined && end.outcome === 'paid' && html`<p class="hint">${texts.embeddedEnd}</p>`}
</section>`,
    ...(address !== undefined && waitMs > 0 ? { next: { seconds: Math.ceil(waitMs / 1000), address } } : {}),
  })
}

function backAddress(visit: Visit, end: Ended['end']): string | undefined {
  if (visit.place?.kind !== 'hosted') return undefined
  const target = end.outcome === 'paid' ? visit.place.success : visit.place.error
  return returnAddress(target, end.preApproveId, end.externalTrxId)
}

function wayBack(address: string, waitMs: number, texts: Texts): Html {
  const { host } = new URL(address)
  const seconds = Math.ceil(waitMs / 1000)
  return html`<div class="actions">
<a class="button" rel="noreferrer" href="${address}" data-return>${waitMs > 0 ? texts.returnNow : texts.returnTo(host)}</a>
${waitMs > 0 && html`<p class="returning" role="status">${texts.returning(host)} <span role="timer" aria-live="off" class="clock" data-return-in="${waitMs}">${seconds}</span> ${texts.seconds}</p>`}
</div>`
}

function receipt({ session, option, end }: Ended, texts: Texts): Html {
  const rows: [string, string | undefined][] = [
    [texts.amount, figure(session.amount, texts)],
    [
      texts.planLabel,
      end.outcome === 'paid' && option ? texts.plan(option.installments, figure(option.amount, texts)) : undefined,
    ],
    [texts.total, end.outcome === 'paid' && option ? figure(option.total, texts) : undefined],
    [texts.order, end.externalTrxId],
    [texts.preApproval, end.preApproveId],
  ]
  return html`<dl class="receipt">
${rows.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}
</dl>`
}

/** What the embedded page tells the frame's owner; only a payment that succeeded says anything (specification: "Widget callbacks"). */
function successAttributes(visit: Visit, end: Ended['end']): Html {
  if (visit.place?.kind !== 'embedded' || end.outcome !== 'paid') return html``
  const { preApproveId, externalTrxId } = end
  return html` data-success="${JSON.stringify({ preApproveId, externalTrxId })}"`
}
