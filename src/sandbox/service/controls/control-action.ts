import type { Caller } from '../clock.ts'
import { malformed, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'

export type ControlInput = Readonly<Record<string, unknown>>

type ControlAction = (input: ControlInput, service: Service, caller: Caller) => Promise<unknown>

/** Declares a control action without losing the type of its result. */
export function controlAction<Result>(
  run: (input: ControlInput, service: Service, caller: Caller) => Promise<Result> | Result,
): (input: ControlInput, service: Service, caller: Caller) => Promise<Result> {
  return async (...all) => run(...all)
}

export type ControlActions = Readonly<Record<string, ControlAction>>

/** Returns a text from the input; undefined when it is missing. Throws a 400 `Refusal` for any other value. */
export function textInput(input: ControlInput, name: string): string | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw malformed(`${name} must be a text that is not empty`)
}

/** Returns a whole number of at least `min` from the input; undefined when it is missing. Throws a 400 `Refusal` for any other value. */
export function integerInput(input: ControlInput, name: string, min = 0): number | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value
  throw malformed(`${name} must be a whole number, at least ${min}`)
}

/**
 * Returns a time in ms from the input; undefined when it is missing. Throws a 400 `Refusal` when the value is not a whole number, is
 * negative, or is above the limit.
 */
export function timeInput(input: ControlInput, name: string, limit: { ms: number; words: string }): number | undefined {
  const ms = integerInput(input, name)
  if (ms === undefined || ms <= limit.ms) return ms
  throw malformed(`${name} is more than ${limit.words}`)
}

/** Returns a flag from the input; false when it is missing. Throws a 400 `Refusal` for any other value. */
export function flagInput(input: ControlInput, name: string): boolean {
  const value = input[name] ?? false
  if (typeof value === 'boolean') return value
  throw malformed(`${name} must be true or false`)
}

/** Returns the refusal of a control action whose input names an account that the sandbox does not have. */
export const noSuchAccount = (): Refusal =>
  new Refusal(404, 'ERR_PARTNER_NOT_FOUND', 'the sandbox has no account with this name')
