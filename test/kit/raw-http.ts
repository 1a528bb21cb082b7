import { connect } from 'node:net'

/** Returns the answer to some raw bytes, up to the moment at which the server closes the connection. */
export async function raw(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  for (const part of parts) socket.write(part, 'latin1')
  await closed
  return received
}

/** Returns a request as text. Adds `Host`, `Connection: close`, and the length of the body (Latin-1). */
export const request = (port: number, line: string, headers: string[] = [], body = '') =>
  [
    line,
    ...(headers.some((each) => /^host:/i.test(each)) ? [] : [`Host: 127.0.0.1:${port}`]),
    'Connection: close',
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    ...headers,
    '',
    body,
  ].join('\r\n')

export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
