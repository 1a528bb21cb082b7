/** A sentence of the specification that says what must be, and the tests that hold it. */
export interface Sentence {
  /** Its words; the cells of a table row are joined by commas. */
  says: string
  /** The tests of the merchant's side: the command line, which calls, and its receiver. */
  client: Side
  /** The tests of the service's side: the sandbox. */
  sandbox: Side
  /** The gaps that say what it does not show. */
  gaps: readonly number[]
}

/** Tests, as `test/faults/answers: words of its title`; or the reason why this side has nothing to hold. */
export type Side = readonly string[] | string

/** The reasons why a side has nothing to hold. */
export const SERVICE = 'a matter of the service'
export const MERCHANT = 'a matter of the merchant'

/** @param gaps what the sentence leaves open */
export const sentence = (says: string, client: Side, sandbox: Side, ...gaps: number[]): Sentence => ({
  says,
  client,
  sandbox,
  gaps,
})
