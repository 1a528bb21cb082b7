/** The time limit of a test, in ms. It ends only tests that hang: on a machine with other work, a program may need a minute to start. */
export const TEST_MS = 300_000

/** How long a test waits for one state, in ms. If the wait is in vain, the failure names this state, so it is shorter than the limit of the test. */
export const WAIT_MS = 120_000

/** Returns the ms that this process has worked. Unlike a clock, it does not count the work of other processes. */
export function workedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
