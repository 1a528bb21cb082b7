import { WireFault, type WireResponse } from '../../contract/wire.ts'

/** An answer that goes on: what follows `body` as it comes (server-sent events). In this process only `body` is seen. */
export interface StreamedResponse extends WireResponse {
  /** @param signal aborted when the reader has gone or the server closes; the stream then ends */
  stream(signal: AbortSignal): AsyncIterable<Uint8Array>
}

export function isStreamed(response: WireResponse): response is StreamedResponse {
  return 'stream' in response
}

/**
 * The connection broke within the answer. In this process that is the `WireFault` a client would meet;
 * a server sends the first bytes of the answer and cuts the connection.
 */
export class CutAnswer extends WireFault {
  readonly response: WireResponse
  /** Bytes of the body that still arrive. */
  readonly bytes: number

  constructor(response: WireResponse, bytes: number) {
    super('reset', true, `the connection broke after ${bytes} bytes of the answer`)
    this.response = response
    this.bytes = bytes
  }
}
