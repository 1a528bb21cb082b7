import type { BodySink, Download, Transport } from '../contract/wire.ts'
import { type LineOptions, linesTo } from './lines.ts'
import { exchange } from './undici.ts'

/** Returns a `Download` over the network. Each download has its own connection. No key or cookie is sent. */
export function createDownload(options: LineOptions): Download {
  return (request, begin) => {
    const url = new URL(request.url)
    const lines = linesTo(url, options)
    let sink: BodySink | undefined
    const taker = {
      head(status: number, headers: Record<string, string>) {
        sink = begin({ status, headers })
      },
      data: (chunk: Uint8Array) => sink?.take(chunk),
    }
    const asked = { ...request, method: 'GET', freshSocket: true }
    return exchange(lines.take(), url, asked, options.env, taker, () => void lines.destroy())
  }
}

const MAX_BUFFERED_BYTES = 10 * 1024 * 1024

/** Returns a `Download` over a transport that returns whole bodies, such as the sandbox in this process. */
export function downloadOver(transport: Transport): Download {
  return async ({ idleMs: _, ...request }, begin) => {
    const answer = await transport({ ...request, method: 'GET', maxBytes: MAX_BUFFERED_BYTES })
    begin({ status: answer.status, headers: answer.headers }).take(answer.body)
  }
}
