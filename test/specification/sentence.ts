/** A sentence of the specification that contains a requirement, and the tests that check it. */
export interface Sentence {
  /** The words of the sentence. The cells of a table row are joined by commas. */
  says: string
  /** The tests of the merchant's side: the command line and its receiver. */
  client: Side
  /** The tests of the service's side: the sandbox. */
  sandbox: Side
  /** The numbers of the gaps that the sentence leaves open. */
  gaps: readonly number[]
}

/** The tests of a side, each as `test/faults/answers: words of its title`, or the reason why this side has nothing to test. */
export type Side = readonly string[] | string

/** The reasons why a side has nothing to test. */
export const SERVICE = 'no test: only the service does this'
export const MERCHANT = 'no test: only the merchant does this'

/** Returns a sentence. @param gaps the numbers of the gaps that the sentence leaves open */
export const sentence = (says: string, client: Side, sandbox: Side, ...gaps: number[]): Sentence => ({
  says,
  client,
  sandbox,
  gaps,
})
