import { type Html, html } from '../../text/html.ts'

const STROKES = {
  paid: html`<path class="draw" d="m15 25 6.5 6.5L34 18"/>`,
  rejected: html`<path class="draw" d="m17 17 14 14m0-14L17 31"/>`,
  cancelled: html`<path class="draw" d="M16 24h16"/>`,
  notice: html`<path class="draw" d="M24 14v13"/><path class="draw" d="M24 33.5v.5"/>`,
  clock: html`<path class="draw" d="M24 14v10.5l6.5 4"/>`,
} as const

/** The round sign at the head of a result; decoration, the heading says the same. */
export function icon(name: keyof typeof STROKES): Html {
  return html`<svg class="sign" viewBox="0 0 48 48" width="64" height="64" fill="none" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="24" cy="24" r="22"/>${STROKES[name]}</svg>`
}
