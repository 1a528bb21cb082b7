import { createServer } from 'node:net'

/** Below what systems give away by themselves (from 32768 on Linux, from 49152 elsewhere). */
const [FIRST, LAST] = [20_000, 32_000]

/**
 * A free port on loopback that stays free while its server is away: one that the system chose it gives to whoever asks next, and a server
 * that comes back to it then finds it taken.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
