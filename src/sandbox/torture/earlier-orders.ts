import { type BnplError, usage } from '../../errors.ts'
import type { Facts } from './facts.ts'
import { isSold } from './shop-orders.ts'

/** A call that a settlement makes for an order of any age. Every other call with an id belongs to a purchase of this run. */
const READS_LOAN = 'verifyLoan'

/**
 * Throws `usage` if the shop still lists a paid order that it listed before the run. The service of the run cannot have a loan for it, so
 * each such order would be reported as a mistake of the shop.
 * @param before the ids of the paid orders that the shop listed before the run. A shop may use one database for all runs, if the shop's
 * test begins by emptying this database. So only orders that are still listed are refused
 */
export function refuseEarlierOrders({ moments, calls }: Facts, before: ReadonlySet<string>): void {
  const bought = new Set(calls.filter(({ name }) => name !== READS_LOAN).map(({ externalTrxId }) => externalTrxId))
  const earlier = (moments?.at(-1)?.orders ?? []).filter(
    (order) => isSold(order) && before.has(order.externalTrxId) && !bought.has(order.externalTrxId),
  )
  if (earlier.length > 0) throw ordersOfEarlierRun(earlier.length)
}

const ordersOfEarlierRun = (count: number): BnplError =>
  usage(
    `the shop lists ${count === 1 ? 'a paid order' : `${count} paid orders`} of an earlier run, for which the service of this run has no loan`,
    'Keep the database of the shop in the folder BNPL_RUN_DIR, for example with SHOP_DATA="$BNPL_RUN_DIR/shop.db" in the command, in --orders and in --settle. Or use --jobs 1, and empty the database when the command begins.',
    'ORDERS_OF_EARLIER_RUN',
  )
