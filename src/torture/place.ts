import { ENDPOINT_NAMES } from '../contract/endpoints.ts'
import { DELIVERY, DOWNLOAD, type FaultPlace, PAGE_VISIT } from '../sandbox/store/harm.ts'

/** The parts of a payment in which something can go wrong. These are the words of `--only`. */
export const PARTS = ['calls', 'webhooks', 'page', 'clock'] as const
export type Part = (typeof PARTS)[number]

/** The `nth` call with this name, counted from 1. A delivery or a visit of the payment page is counted in the same way. */
export interface Place {
  name: FaultPlace
  nth: number
}

const NAMES: readonly FaultPlace[] = [...ENDPOINT_NAMES, DOWNLOAD, DELIVERY, PAGE_VISIT]

/** Returns the name of a place, such as `verifyLoan.2`. */
export const placeName = ({ name, nth }: Place): string => `${name}.${nth}`

/** Reads the name of a place; undefined for any other text. */
export function readPlace(text: string): Place | undefined {
  const [, word, digits] = /^([A-Za-z]+)\.([1-9]\d{0,5})$/.exec(text) ?? []
  const name = NAMES.find((each) => each === word)
  return name && { name, nth: Number(digits) }
}
