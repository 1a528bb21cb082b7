import type { Caller } from '../delay.ts'
import { malformed } from '../refusal.ts'
import type { Service } from '../service.ts'

/** One way to drive the sandbox: JSON in, JSON out. Throws a `Refusal`; one that takes its time ends when its caller goes. */
export type ControlAction = (input: Record<string, unknown>, service: Service, caller: Caller) => Promise<unknown>

/** A text of the input; undefined when it is not there. */
export function textInput(input: Record<string, unknown>, name: string): string | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw malformed(`${name} must be a text`)
}

/** A whole number of the input, at least `min`; undefined when it is not there. */
export function integerInput(input: Record<string, unknown>, name: string, min = 0): number | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value
  throw malformed(`${name} must be a whole number, at least ${min}`)
}

/** A yes or no of the input; no when it is not there. */
export function flagInput(input: Record<string, unknown>, name: string): boolean {
  const value = input[name] ?? false
  if (typeof value === 'boolean') return value
  throw malformed(`${name} must be true or false`)
}
