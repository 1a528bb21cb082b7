import { type BnplError, usage } from '../errors.ts'
import type { Facts } from './facts.ts'
import { isSold, type ShopOrder } from './shop-orders.ts'

/** The call that the command of `--settle` makes for orders of any age. Every other call with an id belongs to a purchase of this run. */
const READS_LOAN = 'verifyLoan'

/**
 * Returns the facts without the paid orders that the shop listed before the run. The service of the run cannot have a loan for them, so
 * each of them would be reported as a mistake of the shop.
 * @param before the ids of the paid orders that the shop listed before the run
 * @throws `usage` if such an order is still listed although the command ended with exit code 0. A shop may use one database for all runs
 * only if its command begins by emptying the database. After a failed command nothing is thrown, because the command may have ended before
 * it emptied the database
 */
export function withoutEarlierOrders(facts: Facts, before: ReadonlySet<string>): Facts {
  const { moments, calls } = facts
  const bought = new Set(calls.filter(({ name }) => name !== READS_LOAN).map(({ externalTrxId }) => externalTrxId))
  const isEarlier = (order: ShopOrder) =>
    isSold(order) && before.has(order.externalTrxId) && !bought.has(order.externalTrxId)
  const left = (moments?.at(-1)?.orders ?? []).filter(isEarlier)
  if (left.length > 0 && isComplete(facts)) throw ordersOfEarlierRun(left.length)
  return {
    ...facts,
    moments: moments?.map((moment) => ({ ...moment, orders: moment.orders.filter((order) => !isEarlier(order)) })),
  }
}

/** Whether the command was run to its end, with the server of the shop if there is one. */
const isComplete = ({ ended, notRunning }: Facts): boolean =>
  notRunning === undefined && !ended.hung && ended.code === 0

const ordersOfEarlierRun = (count: number): BnplError =>
  usage(
    `the shop lists ${count === 1 ? 'a paid order' : `${count} paid orders`} of an earlier run, for which the service of this run has no loan`,
    'Keep the database of the shop in the folder that BNPL_RUN_DIR names, for example with SHOP_DATA="$BNPL_RUN_DIR/shop.db" in the command, in --orders and in --settle. Or use --jobs 1, and let the command empty the database when it begins.',
    'ORDERS_OF_EARLIER_RUN',
  )
