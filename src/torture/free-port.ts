import { connect } from 'node:net'

/** Only ports below 32768 are used, because other programs often get higher ports, and could take the port of a killed shop. */
const [FIRST, LAST] = [20_000, 32_000]

const STEP = 101

let given = 0

/**
 * Returns a loopback port on which nothing listens. Every call returns a different port.
 * @param pid the id of this process, so that two processes begin at different ports
 */
export async function freePort(pid: number): Promise<number> {
  for (;;) {
    const port = FIRST + ((pid * STEP + given++) % (LAST - FIRST))
    if (!(await isListening(port))) return port
  }
}

/** Whether a server of this machine accepts connections on a port. */
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
