/**
 * What can be done about a failure, as data: the contract and the client name it, and the program that shows it has the words. The
 * command line's are in `commands/advice.ts`, one for each `id`, or it does not compile.
 */
export type Advice =
  /** The key was not accepted, or may not do this. */
  | { readonly id: 'check-key' }
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

/** The piece of advice of one id, with its facts. */
export type AdviceOf<Id extends Advice['id']> = Extract<Advice, { id: Id }>
