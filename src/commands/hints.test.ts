import { expect, test } from 'vitest'
import { type Advice, BnplError } from '../errors.ts'
import { failureInWords, hintOf, inCommandWords } from './hints.ts'

const failing = (advice?: Advice) =>
  new BnplError('network', 'it failed', { code: 'C', hint: 'Neutral.', ...(advice === undefined ? {} : { advice }) })

test.each<[Advice, string]>([
  [{ id: 'set-key' }, 'Set BNPL_API_KEY, or add a profile: bnpl profiles add NAME'],
  [
    { id: 'correct-path', setting: 'paths.lead', path: '/l/{id}' },
    "Set a valid path: bnpl profiles set paths.lead '/l/{id}'",
  ],
  [{ id: 'check-certificate', problem: 'expired' }, 'Neutral.'],
  [
    { id: 'check-certificate', problem: 'unknown-authority' },
    'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate; see bnpl doctor.',
  ],
  [{ id: 'check-proxy' }, 'Check HTTPS_PROXY and NO_PROXY: bnpl doctor'],
  [{ id: 'check-proxy', proxy: 'p:1' }, 'Check HTTPS_PROXY and that the proxy is up: bnpl doctor. Nothing was sent.'],
  [{ id: 'check-proxy', proxy: 'p:1', status: 407 }, 'Neutral.'],
  [{ id: 'wait', ms: 1 }, 'Neutral.'],
  [
    { id: 'see-raw-answer', method: 'GET', path: '/a b' },
    "Check the base address, or see the raw answer: bnpl api GET '/a b' --include",
  ],
])('the advice %j reads: %s', (advice, words) => {
  const once = failureInWords(failing(advice))
  expect(once.hint).toBe(words)
  // What a command put in its place is final, and what is in words already stays.
  expect(failureInWords(once).hint).toBe(words)
  expect(failureInWords(once.withHint('Final.')).hint).toBe('Final.')
  expect(hintOf(failing(advice))).toBe(words)
})

test('an error keeps all its facts, and any other value is returned unchanged', () => {
  const cause = new Error('below')
  const exchange = { method: 'GET', url: 'https://x', attempts: 1, sent: true, outcome: 'unknown' } as const
  const details = { code: 'C', exchange, retryAfterMs: 5, cause, advice: { id: 'repeat' } } as const
  expect(inCommandWords(new BnplError('network', 'it failed', details))).toMatchObject({
    ...details,
    kind: 'network',
    message: 'it failed',
    hint: 'Run the command again. That is safe.',
  })
  const plain = failing()
  expect(inCommandWords(plain)).toBe(plain)
  expect(inCommandWords(cause)).toBe(cause)
  expect(hintOf({})).toBeUndefined()
})
