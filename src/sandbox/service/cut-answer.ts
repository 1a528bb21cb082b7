import { WireFault, type WireResponse } from '../../contract/wire.ts'

/**
 * The connection breaks within the answer. In this process that is the `WireFault` that a client would get; a server sends the first bytes of
 * the answer and cuts the connection.
 */
export class CutAnswer extends WireFault {
  readonly response: WireResponse
  /** Bytes of the body that are sent. */
  readonly bytes: number

  /** @param most bytes of the body at most; the last byte is never sent */
  constructor(response: WireResponse, most: number) {
    const bytes = Math.min(most, Math.max(0, response.body.length - 1))
    super('reset', true, `the connection broke after ${bytes} bytes of the answer`)
    this.response = response
    this.bytes = bytes
  }
}
