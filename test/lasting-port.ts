import { createSocket, type Socket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

/** Below what systems give away by themselves (from 32768 on Linux, from 49152 elsewhere). */
const [FIRST, LAST] = [20_000, 32_000]

/** Where this thread begins to look: other threads and processes begin elsewhere, so that two seldom ask for one port. */
let next = process.pid * 1_009 + threadId * 97

/** What says that ports are reserved, as long as this thread runs. */
const signs: Socket[] = []

/**
 * A free port on loopback that stays free while its server is away: one that the system chose it gives to whoever asks next, and a server
 * that comes back to it then finds it taken. No test of another thread or process gets it, as long as this thread runs.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % (LAST - FIRST))
    if ((await isFree(port)) && (await reserve(port))) return port
  }
}

// Asked by calling it: a socket that listens here, if only for a moment, may be held on to by a process that another test starts.
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (free: boolean) => {
      socket.destroy()
      resolve(free)
    }
    socket.once('connect', () => answer(false))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => answer(code === 'ECONNREFUSED'))
  })

/**
 * Reserves a port against others who ask here, also while nothing listens there. UDP has ports of its own, and nothing here uses them: the
 * port of the same number is the sign, which the system takes away with its process.
 * @returns false if another thread or process has reserved it
 */
const reserve = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const sign = createSocket('udp4').unref()
    sign.once('error', () => {
      sign.close()
      resolve(false)
    })
    sign.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      signs.push(sign)
      resolve(true)
    })
  })

/**
 * Opens what listens on a port that was just let go of, again as long as it is taken: a process that another test starts at this moment holds
 * it too, until it runs its own program.
 */
export async function onceFree<T>(open: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      const { code } = error as { code?: string }
      if (code !== 'EADDRINUSE' && code !== 'PORT_TAKEN') throw error
      await pause(20)
    }
  }
}
