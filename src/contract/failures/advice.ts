import { formatDuration } from '../../domain/clock.ts'
import type { Advice, AdviceOf, CertificateProblem } from '../../errors.ts'
import { commandLine } from '../../text/shell-word.ts'

/**
 * What to do about a failure, in words: `hint` for every program, `cli` for the command line where its text differs. `end` is ` -p PROFILE`,
 * or empty.
 */
interface AdviceWords<Id extends Advice['id']> {
  hint(advice: AdviceOf<Id>): string
  cli?(advice: AdviceOf<Id>, end: string): string | undefined
}

const NOT_AGAIN = 'Do not run the command again yet.'
const FIND_OUT = `${NOT_AGAIN} Find out what happened:`

/** How to find out whether a call was carried out. */
const HOW = {
  'look-for-evaluation':
    'if the account can read evaluations, read the latest evaluation of the customer (evaluationByRut). Compare the time and the amount of that evaluation with those of this call, because the specification shows no transaction id in an evaluation. If the account cannot read evaluations, ask the support of the service about the transaction',
  'verify-after-payment':
    'verify the transaction after the payment (verifyLoan), because the service documents no call that reads a loan request',
  'look-for-entity': 'list the entities (listEntities)',
  'verify-loan': 'verify the transaction (verifyLoan), and look at the state of its loan',
  'wait-for-expiry':
    'wait 10 minutes. A token that may have been created has expired by then, so you can create a new one safely',
  'look-for-destination': 'list the destinations (listWebhooks)',
} as const satisfies Partial<Record<Advice['id'], string>>

const CERTIFICATE: Readonly<Record<CertificateProblem, string>> = {
  expired: 'Ask the operator of the service for a new certificate, and check the clock of this machine.',
  'not-yet-valid':
    'Check the clock of this machine. If the clock is right, tell the operator of the service about the certificate.',
  'other-name': 'Check the host name in the base address, because the certificate is for another name.',
  'unknown-authority':
    'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate.',
  'self-signed':
    'Set NODE_EXTRA_CA_CERTS to the certificate of the server (PEM), if the server is yours. Otherwise check the base address.',
  'no-tls': 'Check the base address, because its port probably does not speak TLS.',
  'authorities-unread':
    'Set NODE_EXTRA_CA_CERTS to a PEM file that you can read. It must contain the certificate of the authority that signed the server’s certificate.',
  unknown:
    'Check the base address. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.',
}

function proxyHint({ proxy, status }: AdviceOf<'check-proxy'>): string {
  if (status === 407) return 'Set HTTPS_PROXY with the right user and password: http://user:password@proxy.example:3128'
  if (status === 403) return 'Ask the operator of the proxy to allow the address, or add the address to NO_PROXY.'
  if (status !== undefined)
    return 'Ask the operator of the proxy for the reason, or add the address to NO_PROXY. Nothing was sent.'
  return proxy === undefined
    ? 'Check HTTPS_PROXY and NO_PROXY.'
    : 'Check HTTPS_PROXY and that the proxy is up. Nothing was sent.'
}

const WORDS: { readonly [Id in Advice['id']]: AdviceWords<Id> } = {
  'check-key': {
    hint: () => 'Check the API key.',
    cli: (_, end) => `Check the key of this profile: bnpl profiles show${end}`,
  },
  'check-request-and-key': {
    hint: () => 'Check the request, then the API key. A wrong key may also be refused with 400.',
    cli: (_, end) =>
      `Check the request, then the key of this profile (a wrong key may be refused with 400): bnpl profiles show${end}`,
  },
  'use-owner-account': {
    hint: () => 'Use the key of the account that made this evaluation. The key that was sent is valid.',
    cli: () => 'Use the profile of the account that made this evaluation. The key itself was accepted.',
  },
  'wait-for-payment': {
    hint: () => 'Verify again after the payment. The customer may not have paid yet.',
    cli: (_, end) =>
      `Wait for the payment with \`bnpl verify TRX --wait${end}\`, because the customer may not have paid yet.`,
  },
  'register-as-bnpl': {
    hint: () => 'If this is a BNPL account, register the destination with POST /partner/webhook.',
    cli: (_, end) => `If this is a BNPL account, register the destination with: bnpl webhooks add URL${end}`,
  },
  'see-destinations': {
    hint: () => 'List the destinations to see their ids.',
    cli: (_, end) => `List the ids with: bnpl webhooks list${end}`,
  },
  'look-for-evaluation': {
    hint: () => `${FIND_OUT} ${HOW['look-for-evaluation']}`,
    cli: (_, end) => `${FIND_OUT} bnpl evaluations get --rut …${end}, or ask the support about TRX`,
  },
  'verify-after-payment': {
    hint: () => `${FIND_OUT} ${HOW['verify-after-payment']}`,
    cli: (_, end) => `${NOT_AGAIN} After the customer has paid, find out what happened: bnpl verify TRX${end}`,
  },
  'look-for-entity': {
    hint: () => `${FIND_OUT} ${HOW['look-for-entity']}`,
    cli: (_, end) => `${FIND_OUT} bnpl entities list${end}`,
  },
  'verify-loan': {
    hint: () => `${FIND_OUT} ${HOW['verify-loan']}`,
    cli: (_, end) => `${FIND_OUT} bnpl verify TRX${end}`,
  },
  'wait-for-expiry': {
    hint: () => `${FIND_OUT} ${HOW['wait-for-expiry']}`,
    cli: () =>
      `${NOT_AGAIN} Wait 10 minutes: then a token that may have been created has expired, and you can create another one safely`,
  },
  'look-for-destination': {
    hint: () => `${FIND_OUT} ${HOW['look-for-destination']}`,
    cli: (_, end) => `${FIND_OUT} bnpl webhooks list${end}`,
  },
  'set-key': {
    hint: () => 'Set the API key.',
    cli: (_, end) =>
      `Set BNPL_API_KEY, or ${end === '' ? 'add a profile: bnpl profiles add NAME' : `store a key in the profile: bnpl profiles set-key${end}`}`,
  },
  'set-path': {
    hint: ({ setting, path }) =>
      `Set ${setting} to the path that the support of the service gives you, such as ${path}.`,
    cli: ({ setting, method, path }, end) =>
      `Set the path: ${commandLine('bnpl profiles set', [setting, path], end.trim())}. Or use: bnpl api ${method} PATH${end}`,
  },
  'correct-path': {
    hint: ({ setting, path }) => `Set ${setting} to a path such as ${path}. Nothing was sent.`,
    cli: ({ setting, path }, end) =>
      `Set a valid path: ${commandLine('bnpl profiles set', [setting, path], end.trim())}`,
  },
  'check-address': {
    hint: () => 'Check the base address and that the service is up.',
    cli: (_, end) => `Check the base address and that the service is up: bnpl doctor${end}`,
  },
  'check-name-service': {
    hint: () => 'Check the base address and the DNS.',
    cli: (_, end) => `Check the base address and the DNS: bnpl doctor${end}`,
  },
  'check-base-address': {
    hint: () => 'Check the base address.',
    cli: (_, end) => `Check the base address: bnpl doctor${end}`,
  },
  'check-certificate': {
    hint: ({ problem }) => CERTIFICATE[problem],
    cli({ problem }, end) {
      if (problem === 'unknown')
        return `Check the base address: bnpl doctor${end}. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.`
      return problem === 'unknown-authority'
        ? `Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate; see bnpl doctor${end}.`
        : undefined
    },
  },
  'check-proxy': {
    hint: proxyHint,
    cli(advice, end) {
      if (advice.status !== undefined) return undefined
      return advice.proxy === undefined
        ? `Check HTTPS_PROXY and NO_PROXY: bnpl doctor${end}`
        : `Check HTTPS_PROXY and that the proxy is up: bnpl doctor${end}. Nothing was sent.`
    },
  },
  repeat: {
    hint: () => 'Repeat the call, which is safe.',
    cli: () => 'Run the command again. That is safe.',
  },
  'allow-more-time': {
    hint: () => 'Repeat the call, which is safe, and allow more time.',
    cli: () => 'Run the command again, which is safe. Add --timeout 60s to wait longer.',
  },
  wait: {
    hint: ({ ms }) =>
      `${ms === undefined ? 'Wait a minute.' : `Wait ${formatDuration(ms)}, as the service asks.`} The service refused the call, so the call can be repeated.`,
  },
  'see-raw-answer': {
    hint: () => 'Check the base address, and look at the raw answer.',
    cli: ({ method, path }, end) =>
      `Check the base address, or see the raw answer: ${commandLine('bnpl api', [method, path], `--include${end}`)}`,
  },
}

/** A hint in words that fit every program, and the same as data, from which the command line makes its own hint. */
export interface Guidance {
  hint: string
  advice: Advice
}

/** Returns advice together with its hint for every program. */
export function guidance<Id extends Advice['id']>(advice: AdviceOf<Id>): Guidance {
  return { hint: WORDS[advice.id].hint(advice), advice }
}

/**
 * Returns the advice as a sentence of the command line; undefined if it has none that differs from the hint.
 * @param end ` -p PROFILE`, which the commands in the sentence repeat, or empty
 */
export function ofCommandLine<Id extends Advice['id']>(advice: AdviceOf<Id>, end: string): string | undefined {
  return WORDS[advice.id].cli?.(advice, end)
}

/** Returns how to find out whether a call was carried out whose answer was lost. */
export const findOutBy = (id: keyof typeof HOW): { how: string; advice: Advice } => ({ how: HOW[id], advice: { id } })

/** What to do about a call of unknown outcome if there is no way to find out whether it was carried out. */
export const UNKNOWN_OUTCOME = { hint: NOT_AGAIN }
