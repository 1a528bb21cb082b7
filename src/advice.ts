/** Advice about a failure, as data. The texts of the command line are in `commands/advice.ts`. */
export type Advice =
  /** The key was not accepted, or has no permission for this call. */
  | { readonly id: 'check-key' }
  /** The request was not accepted. The specification does not say whether the key may be the reason. */
  | { readonly id: 'check-request-and-key' }
  /** The key was accepted, but the requested object belongs to another account. */
  | { readonly id: 'use-owner-account' }
  /** No loan was found, perhaps because the customer is still on the payment page. */
  | { readonly id: 'wait-for-payment' }
  /** A BNPL account tried to register a destination with the call that is only for real-estate accounts. */
  | { readonly id: 'register-as-bnpl' }
  /** No destination has the requested id. */
  | { readonly id: 'see-destinations' }
  /** The outcome of the call is unknown. The service may have made an evaluation. */
  | { readonly id: 'look-for-evaluation' }
  /** The outcome of the call is unknown. The service may have stored the option that the customer chose. */
  | { readonly id: 'verify-after-payment' }
  /** The outcome of the call is unknown. The service may have created a widget token. */
  | { readonly id: 'wait-for-expiry' }
  /** The outcome of the call is unknown. The service may have registered a destination. */
  | { readonly id: 'look-for-destination' }
  /** The outcome of the call is unknown. The service may have cancelled the loan. */
  | { readonly id: 'verify-loan' }
  | { readonly id: 'set-key' }
  /** The specification does not show the path of the call, and the setting for this path is empty. `path` is an example of a value. */
  | { readonly id: 'set-path'; readonly setting: string; readonly method: string; readonly path: string }
  /** The setting for the path of the call is not valid. `path` is an example of a valid path. */
  | { readonly id: 'correct-path'; readonly setting: string; readonly path: string }
  | { readonly id: 'check-address' }
  | { readonly id: 'check-name-service' }
  /** The server at the address is not the service. */
  | { readonly id: 'check-base-address' }
  | { readonly id: 'check-certificate'; readonly problem: CertificateProblem }
  /** The proxy cannot be reached, or answered with an error status. `proxy` is its host and port, if known. */
  | { readonly id: 'check-proxy'; readonly proxy?: string; readonly status?: number }
  /** The service did nothing, or repeating the call is harmless. */
  | { readonly id: 'repeat' }
  /** The time-out was too short. The service did nothing, or repeating the call is harmless. */
  | { readonly id: 'allow-more-time' }
  /** The service asks for a pause. `ms` is its length, if the service gave it. */
  | { readonly id: 'wait'; readonly ms?: number }
  /** The answer is not as specified. It is safe to repeat the call in order to see the raw answer. */
  | { readonly id: 'see-raw-answer'; readonly method: string; readonly path: string }

/** Why a certificate was not accepted. `authorities-unread` means that the file that NODE_EXTRA_CA_CERTS names cannot be read. */
export type CertificateProblem =
  | 'expired'
  | 'not-yet-valid'
  | 'other-name'
  | 'unknown-authority'
  | 'self-signed'
  | 'no-tls'
  | 'authorities-unread'
  | 'unknown'

/** The type of the advice with the given id. */
export type AdviceOf<Id extends Advice['id']> = Extract<Advice, { id: Id }>
