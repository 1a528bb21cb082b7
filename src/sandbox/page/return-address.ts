/** What a merchant's page reads as "there is no pre-approval" (gap 22). */
const NO_PRE_APPROVAL = 'undefined'

/**
 * The address a customer is sent back to: the merchant's own, with its query and fragment kept, and `preApproveId` and
 * `externalTrxId` set once each (specification: "Hosted payment page").
 * @param externalTrxId undefined where the transaction is not known; the merchant's own parameter, if any, then stays as it is
 */
export function returnAddress(
  merchantAddress: URL,
  preApproveId: string | undefined,
  externalTrxId: string | undefined,
): string {
  const url = new URL(merchantAddress)
  url.searchParams.set('preApproveId', preApproveId ?? NO_PRE_APPROVAL)
  if (externalTrxId !== undefined) url.searchParams.set('externalTrxId', externalTrxId)
  return url.href
}
