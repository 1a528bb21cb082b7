import { createSocket, type Socket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

/** Lower than the ports that systems give away by themselves (from 32768 on Linux, from 49152 elsewhere), and than those of torture. */
const [FIRST, LAST] = [10_000, 20_000]

/** Where this thread begins to search. Other threads and processes begin elsewhere, so that two seldom try the same port. */
let next = process.pid * 1_009 + threadId * 97

/** The sockets that reserve ports while this thread runs. */
const signs: Socket[] = []

/**
 * Returns a free port on loopback that stays free while its server is stopped. The system may give a port that it chose to the next program
 * that asks, and then the returning server would find it taken. No test in another thread or process gets this port while this thread runs.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % (LAST - FIRST))
    if ((await isFree(port)) && (await reserve(port))) return port
  }
}

// The check connects to the port. It does not listen there, because another test may start a process at this moment, which would inherit
// the socket.
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
 * Reserves a port, also while no server listens on it. UDP has ports of its own, and the tests do not use them: a UDP socket with the same
 * number marks the port as reserved. The system closes that socket when the process ends.
 * @returns false if another thread or process has reserved the port
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
 * Opens a server on a port that was just closed, and tries again while the port is taken. A process that another test starts at this moment
 * inherits the socket until it runs its own program.
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
