export interface ShopOrder {
  externalTrxId: string
  paid: boolean
  /** The number of times that the order was shipped or credited. */
  fulfilled: number
  /** In whole currency units. If the shop reports the amount, it is compared with the loan. */
  amount?: number
  /** If the shop reports the number, it is compared with the loan. */
  installments?: number
}

/** Whether the shop treats an order as paid. */
export const isSold = ({ paid, fulfilled }: ShopOrder): boolean => paid || fulfilled > 0

/** Reads the NDJSON output of the command of `--orders`. Returns the orders, or the first problem in words. */
export function readOrders(text: string): { ok: true; orders: ShopOrder[] } | { ok: false; problem: string } {
  const orders: ShopOrder[] = []
  const seen = new Set<string>()
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const order = readOrder(line)
    if (typeof order === 'string') return { ok: false, problem: `line ${at + 1} ${order}` }
    if (seen.has(order.externalTrxId)) return { ok: false, problem: `line ${at + 1} lists an order a second time` }
    seen.add(order.externalTrxId)
    orders.push(order)
  }
  return { ok: true, orders }
}

function readOrder(line: string): ShopOrder | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object'
  const { externalTrxId, paid, fulfilled, amount, installments } = value as Record<string, unknown>
  if (typeof externalTrxId !== 'string' || externalTrxId === '')
    return 'needs a field “externalTrxId” that is a non-empty string'
  if (typeof paid !== 'boolean') return 'needs a field “paid” that is true or false'
  if (!isCount(fulfilled)) return 'needs a field “fulfilled” that is 0 or a positive whole number'
  return {
    externalTrxId,
    paid,
    fulfilled,
    ...(isCount(amount) ? { amount } : {}),
    ...(isCount(installments) ? { installments } : {}),
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
