import type { Server } from 'node:net'

/** Binds a server and returns its port. Throws the error of `listen`. */
export function bind(
  server: Server,
  { host, port, backlog }: { host: string; port: number; backlog?: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(backlog === undefined ? { host, port } : { host, port, backlog }, () => {
      server.off('error', reject)
      // An error after binding means that one connection could not be accepted (too many open files). The server continues.
      server.on('error', () => {})
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}
