import type { ServedCall } from '../../sandbox/server/serve.ts'
import { formatTime } from '../../terminal/format.ts'
import type { Style } from '../../terminal/style.ts'
import { maskText } from '../../text/masking.ts'
import { visible } from '../../text/visible.ts'

/** A call that was answered, on one line, credentials and national ids masked. @param now ms */
export function callLine({ method, url, status, ms }: ServedCall, now: number, style: Style): string {
  const { pathname, search } = new URL(url)
  const at = formatTime(new Date(now).toISOString()).slice(-8)
  const answer = status === undefined ? 'cut' : String(status)
  const look = status !== undefined && status < 400 ? style.green : style.red
  return `${style.dim(at)}  ${look(answer)}  ${visible(maskText(`${method} ${pathname}${search}`))}  ${style.dim(`${Math.round(ms)} ms`)}`
}
