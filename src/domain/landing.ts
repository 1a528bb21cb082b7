import { presentPreApproveId } from './identifiers.ts'

/** What a customer brings back from the payment page: the two query parameters of the return address. */
export interface Landing {
  preApproveId: string | undefined
  externalTrxId: string | undefined
}

/** Reads a landing address (specification: "Hosted payment page"; gap 22). It proves nothing: the outcome is for verification to tell. */
export function readLanding(url: URL): Landing {
  return {
    preApproveId: presentPreApproveId(url.searchParams.get('preApproveId')),
    externalTrxId: presentPreApproveId(url.searchParams.get('externalTrxId')),
  }
}
