import type { Server } from 'node:net'

/** Where a server listens. */
export interface BindAddress {
  host: string
  /** 0 takes any free port. */
  port: number
  /** Connections that the system keeps until they are accepted. */
  backlog?: number
}

/** Binds a server. Returns its port; throws what `listen` throws. */
export function bind(server: Server, { host, port, backlog }: BindAddress): Promise<number> {
  // Pick the fields by name: `listen` would take any other field of the object as an option.
  const address = backlog === undefined ? { host, port } : { host, port, backlog }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      // From here on, an error means that one connection was not accepted (no more open files). The next one may be.
      server.on('error', () => {})
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}
