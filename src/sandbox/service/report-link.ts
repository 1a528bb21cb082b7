import type { WireRequest, WireResponse } from '../../contract/wire.ts'

/** What the report endpoints ask of whoever draws and keeps the reports. */
export interface Reports {
  /**
   * A fresh pre-signed link to the report, drawing it when its data changed.
   * Throws a 503 `Refusal` with one of the two codes of the specification.
   * @param now the sandbox's time in ms, from which the link lives `INFORME_LINK_LIFE_MS`
   */
  link(preApproveId: string, now: number): Promise<string>
  /** What the report would be drawn from now, as a fingerprint; undefined where there is nothing to report on. */
  print(preApproveId: string): Promise<string | undefined>
  /** The report's pages as pictures (SVG), as they would be drawn now; undefined where there is nothing to report on. */
  pictures(preApproveId: string): Promise<string[] | undefined>
  /** Answers what such a link points to; undefined for any other address. */
  answer(request: WireRequest, now: number): Promise<WireResponse | undefined>
}
