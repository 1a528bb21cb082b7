import { connect } from 'node:net'

/**
 * The ports that are given away. Systems choose ports from 32768 upwards by themselves: such a port could be taken while the shop on it is
 * killed.
 */
const [FIRST, LAST] = [20_000, 32_000]

/** How far apart two processes that follow each other begin to look. */
const STEP = 101

let given = 0

/** Finds a port of loopback on which nothing listens. Another call returns another port. @param pid of this process, so that two processes begin at different ports */
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
