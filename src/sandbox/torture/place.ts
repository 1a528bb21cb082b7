import { ENDPOINT_NAMES } from '../../contract/endpoints.ts'
import { DELIVERY, DOWNLOAD, type FaultPlace, PAGE_VISIT } from '../store/harm.ts'

/** The parts of a payment at which something can go wrong: the words of `--only`. */
export const PARTS = ['calls', 'webhooks', 'page', 'clock'] as const
export type Part = (typeof PARTS)[number]

/** One interaction of the command with the service: the `nth` of its name, counted from 1. */
export interface Place {
  name: FaultPlace
  nth: number
}

const NAMES: readonly FaultPlace[] = [...ENDPOINT_NAMES, DOWNLOAD, DELIVERY, PAGE_VISIT]

/** A place as a word without blanks: `verifyLoan.2`. */
export const placeName = ({ name, nth }: Place): string => `${name}.${nth}`

/** The place of a word that `placeName` wrote; undefined when it is not one. */
export function readPlace(text: string): Place | undefined {
  const [, word, digits] = /^([A-Za-z]+)\.([1-9]\d{0,5})$/.exec(text) ?? []
  const name = NAMES.find((each) => each === word)
  return name && { name, nth: Number(digits) }
}
