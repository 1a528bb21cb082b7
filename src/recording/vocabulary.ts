import type { Call } from '../contract/calls/call.ts'
import { CALLS } from '../contract/calls/calls.ts'
import { INTEGRATIONS } from '../contract/integrations.ts'
import { CONTRACT_FIELDS } from './field-kinds.ts'

const OF_THE_PROTOCOL = [
  'ACTIVE',
  'APPROVED',
  'AUTHORIZATION',
  'AWS4-HMAC-SHA256',
  'Bearer',
  'CLP',
  'CONFIRMED',
  'EUR',
  'FAILED',
  'HMAC',
  'OK',
  'PAID',
  'PENDING',
  'REJECTED',
  'UNSIGNED-PAYLOAD',
  'USD',
  'api',
  'application',
  'approved',
  'beta',
  'bnpl',
  'charset',
  'event',
  'events',
  'form',
  'hex',
  'hook',
  'hooks',
  'host',
  'http',
  'https',
  'json',
  'order',
  'pdf',
  'pending',
  'production',
  'rejected',
  'sandbox',
  'storage',
  'text',
  'trx',
  'undefined',
  'urlencoded',
  'utf',
  'webhooks',
]

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
  ...wordsOfCalls,
  ...wordsOfDeliveries,
])

/** Whether a whole value is a word of the contract, or a code such as `ERR_UNABLE_TO_RENDER_INFORME`. */
export const isServiceWord = (text: string): boolean => VOCABULARY.has(text) || /^ERR_[A-Z][A-Z0-9_]{2,80}$/.test(text)

const PARTS: ReadonlySet<string> = new Set(
  [...VOCABULARY].flatMap((word) =>
    word
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/),
  ),
)

/** Whether the contract has a compound name that contains this word, as `loanRequestId` contains `loan`. Give the word in lower case. */
export const isPartOfServiceWord = (word: string): boolean => PARTS.has(word)

/** Whether the contract or the sandbox has a field with this name. The name is kept, even if a person has the same name. */
export const isFieldOfService = (name: string): boolean => isServiceWord(name)
