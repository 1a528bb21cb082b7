import type { Context } from '../../context.ts'
import { BnplError } from '../../errors.ts'
import type { Check } from '../../terminal/checks.ts'

export interface Examination {
  name: string
  look(): Promise<Omit<Check, 'name' | 'ms'> | undefined>
}

/** Returns the result of a check that found no problem. */
export const okResult = (detail: string) => ({ status: 'ok' as const, detail })
export const warnResult = (detail: string, hint: string) => ({ status: 'warn' as const, detail, hint })
export const failResult = (detail: string, hint: string) => ({ status: 'fail' as const, detail, hint })

/** Runs examinations one after the other. An examination that throws a `BnplError` becomes a failed check. */
export async function examine(context: Context, examinations: readonly Examination[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const { name, look } of examinations) {
    const started = context.clock.monotonic()
    const seen = await look().catch((error: unknown) => {
      if (error instanceof BnplError)
        return { status: 'fail' as const, detail: error.message, ...(error.hint ? { hint: error.hint } : {}) }
      throw error
    })
    if (seen) checks.push({ name, ...seen, ms: Math.round(context.clock.monotonic() - started) })
  }
  return checks
}
