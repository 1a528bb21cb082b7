import { connect } from 'node:net'

/**
 * The first and the last port that is used. Operating systems choose ports from 32768 upwards, so another program could get such a port
 * after the shop is killed and before it is started again.
 */
const [FIRST, LAST] = [20_000, 32_000]

/** The distance between the ports that two processes try first, if their ids differ by 1. */
const STEP = 101

let given = 0

/**
 * Finds a port of loopback on which nothing listens. Every call returns another port.
 * @param pid the id of this process, so that two processes begin at different ports
 */
export async function freePort(pid: number): Promise<number> {
  for (;;) {
    const port = FIRST + ((pid * STEP + given++) % (LAST - FIRST))
    if (!(await isListening(port))) return port
  }
}

/** Whether a server of this machine accepts connections on a port, by IPv4 or IPv6. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' })
    const answer = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}
