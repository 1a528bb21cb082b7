import type { Context } from '../context.ts'
import { SANDBOX } from '../domain/sandbox-accounts.ts'
import { BnplError } from '../errors.ts'

/** The suggested answers to questions about a payment in the sandbox. The sandbox always approves this customer. */
export const SANDBOX_ANSWERS = { rut: '11222333-9', amount: '250000', email: 'ana@example.com' } as const

const QUESTIONS = {
  rut: "The customer's national id (RUT)",
  amount: 'Amount to finance',
  email: "The customer's e-mail",
  successUrl: 'Address to which the customer returns after the payment',
  errorUrl: 'Address to which the customer returns when the payment fails or is cancelled',
  trx: 'Your transaction id',
  receiver: 'Address of your receiver, such as https://shop.example/webhooks',
  destination: 'Id of the destination',
  report: 'Id of the pre-approval',
} as const

/**
 * Asks for a value until it is valid. Throws `Interrupted` on Ctrl-C, `usage` when questions are not allowed, and `config` when no service is
 * configured.
 * @param read converts the typed text to the value. Its second parameter is the word for the value in error messages
 */
export async function ask<T>(
  context: Context,
  what: keyof typeof QUESTIONS,
  read: (text: string, name: string) => T,
): Promise<T> {
  const { environment, baseUrl } = await context.settings()
  // Every value that is asked for is sent to the service. If no service is configured, `api` says so before the user types anything.
  if (baseUrl === undefined) await context.api()
  const isSandbox = environment.value === SANDBOX
  const answers: Partial<Record<keyof typeof QUESTIONS, string>> = isSandbox ? SANDBOX_ANSWERS : {}
  const suggested = answers[what] === undefined ? {} : { default: answers[what] }
  const prompts = await context.prompts()
  const text = await prompts.input({
    message: QUESTIONS[what],
    ...suggested,
    validate: (value) => problemOf(() => read(value, 'this')) ?? true,
  })
  return read(text, 'this')
}

function problemOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    const message = error instanceof BnplError ? (error.atTerminal ?? error.message) : 'this value is not valid'
    return message.charAt(0).toUpperCase() + message.slice(1)
  }
}
