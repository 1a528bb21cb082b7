import type { Call } from '../contract/calls/call.ts'
import { CALLS } from '../contract/calls/calls.ts'
import { GAP_CODES } from '../contract/failures/codes.ts'
import { INTEGRATIONS } from '../contract/integrations.ts'
import { CONTRACT_FIELDS } from './field-kinds.ts'

const OF_THE_PROTOCOL =
  'ACTIVE APPROVED AUTHORIZATION AWS4-HMAC-SHA256 Bearer CLP EUR HMAC HS256 PAID PENDING REJECTED UNSIGNED-PAYLOAD USD api application approved beta bnpl charset event events form hex hook hooks http https json pdf pending production rejected sandbox storage text undefined utf webhooks'.split(
    ' ',
  )

const wordsOfCalls = Object.values<Call>(CALLS).flatMap(({ path, statuses }) => [
  ...path.split('/').filter((part) => part !== '' && !part.startsWith('{')),
  ...Object.values(statuses).flatMap(({ codes }) => Object.keys(codes ?? {})),
])

const wordsOfDeliveries = Object.values(INTEGRATIONS).flatMap(({ events, scheme, written, header }) => [
  ...events,
  scheme,
  written,
  header,
])

const VOCABULARY: ReadonlySet<string> = new Set([
  ...OF_THE_PROTOCOL,
  ...Object.keys(CONTRACT_FIELDS),
  ...Object.keys(GAP_CODES),
  ...wordsOfCalls,
  ...wordsOfDeliveries,
])

/** Whether a whole value is a word of the contract, such as a state, a code or the name of a field. */
export const isServiceWord = (text: string): boolean => VOCABULARY.has(text)
