import type { Caller } from '../clock.ts'
import { malformed } from '../refusal.ts'
import type { Service } from '../service.ts'

/** The fields of a JSON input. */
export type ControlInput = Readonly<Record<string, unknown>>

/**
 * An action that controls the sandbox. Its input and its result are JSON. It throws a `Refusal` if it cannot be carried out. A slow action
 * ends when its caller stops waiting.
 */
type ControlAction = (input: ControlInput, service: Service, caller: Caller) => Promise<unknown>

/** Declares a control action without losing the type of its result. */
export function controlAction<Result>(
  run: (input: ControlInput, service: Service, caller: Caller) => Promise<Result>,
): typeof run {
  return run
}

/** Control actions by name. */
export type ControlActions = Readonly<Record<string, ControlAction>>

/** Reads a text from the input; undefined when it is missing. */
export function textInput(input: ControlInput, name: string): string | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw malformed(`${name} must be a text`)
}

/** Reads a whole number of at least `min` from the input; undefined when it is missing. */
export function integerInput(input: ControlInput, name: string, min = 0): number | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value
  throw malformed(`${name} must be a whole number, at least ${min}`)
}

/** Reads a flag from the input; false when it is missing. */
export function flagInput(input: ControlInput, name: string): boolean {
  const value = input[name] ?? false
  if (typeof value === 'boolean') return value
  throw malformed(`${name} must be true or false`)
}
