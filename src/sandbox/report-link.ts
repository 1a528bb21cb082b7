import type { WireRequest, WireResponse } from '../contract/wire.ts'

/** What the report endpoints ask of whoever draws and keeps the reports. */
export interface Reports {
  /**
   * A fresh pre-signed link to the report, drawing it when its data changed.
   * Throws a 503 `Refusal` with one of the two codes of the specification.
   * @param now the sandbox's time in ms, from which the link lives `INFORME_LINK_LIFE_MS`
   */
  link(preApproveId: string, now: number): Promise<string>
  /** Answers what such a link points to; undefined for any other address. */
  answer(request: WireRequest, now: number): Promise<WireResponse | undefined>
}
