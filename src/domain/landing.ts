import { presentPreApproveId } from './identifiers.ts'

/** The two query parameters that the payment page adds to the return address. */
export interface Landing {
  preApproveId: string | undefined
  externalTrxId: string | undefined
}

/** Reads the address a customer returned to (specification: "Hosted payment page"; gap 22). It proves nothing: verify the transaction. */
export function readLanding(url: URL): Landing {
  return {
    preApproveId: presentPreApproveId(url.searchParams.get('preApproveId')),
    externalTrxId: presentPreApproveId(url.searchParams.get('externalTrxId')),
  }
}
