import { runCluster } from '../test/receiver/cluster.ts'
import { cleanUp } from '../test/receiver/listener.ts'

/**
 * Kills receivers on one PostgreSQL with SIGKILL at random under load, and stops and starts the database in the middle. Then counts what
 * became of every acknowledged delivery. After a build:
 * `node bench/receiver-cluster-kills.ts [--seconds N] [--every MS] [--receivers N]`
 */
const option = (name: string, otherwise: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return Number(at < 0 ? otherwise : process.argv[at + 1])
}

const report = await runCluster({
  receivers: option('receivers', '3'),
  loadMs: option('seconds', '60') * 1000,
  killEveryMs: option('every', '400'),
  senders: 12,
  outageMs: 2000,
}).finally(cleanUp)
console.log(report)
const { acknowledgedWhileAway, unrecorded, unforwarded, unemitted, outOfOrder, storedTwice } = report
const broken = [acknowledgedWhileAway, unrecorded, unforwarded, unemitted, outOfOrder, storedTwice].flat().length
process.exitCode = broken > 0 || report.forwardedAgain > report.forwardedAgainAllowed ? 1 : 0
