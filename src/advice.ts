/**
 * What can be done about a failure, as data: the contract and the client name it, and the program that shows it has the words. The
 * command line's are in `commands/advice.ts`, one for each `id`, or it does not compile.
 */
export type Advice =
  /** The key was not accepted, or may not do this. */
  | { readonly id: 'check-key' }
  /** The request was not accepted; the specification leaves open whether the key is the reason. */
  | { readonly id: 'check-request-and-key' }
  /** The key was accepted, and what was asked for belongs to another account. */
  | { readonly id: 'use-owner-account' }
  /** No loan was found: the customer may be on the payment page still. */
  | { readonly id: 'wait-for-payment' }
  /** A BNPL account called the registration of real-estate accounts. */
  | { readonly id: 'register-as-bnpl' }
  /** No destination has the id. */
  | { readonly id: 'see-destinations' }
  /** An evaluation may have been made. */
  | { readonly id: 'look-for-evaluation' }
  /** A selected option may have been reported. */
  | { readonly id: 'verify-after-payment' }
  /** A widget token may have been created. */
  | { readonly id: 'wait-for-expiry' }
  /** A destination may have been registered. */
  | { readonly id: 'look-for-destination' }
  /** The call takes a key, and none is set. */
  | { readonly id: 'set-key' }
  /** The specification does not show the path of the call, and the setting is empty. `path` is an example of one. */
  | { readonly id: 'set-path'; readonly setting: string; readonly method: string; readonly path: string }
  /** The setting that names the path of the call is not a path. */
  | { readonly id: 'correct-path'; readonly setting: string; readonly path: string }
  /** Nothing answers at the address. */
  | { readonly id: 'check-address' }
  /** The name of the address was not found. */
  | { readonly id: 'check-name-service' }
  /** What answers is not the service. */
  | { readonly id: 'check-base-address' }
  /** The secure connection failed. */
  | { readonly id: 'check-certificate'; readonly problem: CertificateProblem }
  /** The proxy did not connect: it is away, or it answered with a status. `proxy` is its host and port where they are known. */
  | { readonly id: 'check-proxy'; readonly proxy?: string; readonly status?: number }
  /** Nothing was done, or doing it twice changes nothing. */
  | { readonly id: 'repeat' }
  /** The same, and the time that was allowed was over. */
  | { readonly id: 'allow-more-time' }
  /** The service asks for quiet, for `ms` where it says so. */
  | { readonly id: 'wait'; readonly ms?: number }
  /** The answer is not as specified. The call may be made again to look at it as it is. */
  | { readonly id: 'see-raw-answer'; readonly method: string; readonly path: string }

/** Why a certificate was not believed. `authorities-unread`: the file that NODE_EXTRA_CA_CERTS names cannot be read. */
export type CertificateProblem =
  | 'expired'
  | 'not-yet-valid'
  | 'other-name'
  | 'unknown-authority'
  | 'self-signed'
  | 'no-tls'
  | 'authorities-unread'
  | 'unknown'

/** The piece of advice of one id, with its facts. */
export type AdviceOf<Id extends Advice['id']> = Extract<Advice, { id: Id }>
