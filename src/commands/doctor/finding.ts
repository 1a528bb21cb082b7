import type { Check } from '../../terminal/checks.ts'

/** One thing that the doctor examines. `look` returns undefined when there is nothing to report. */
export interface Finding {
  name: string
  look(): Promise<Omit<Check, 'name' | 'ms'> | undefined>
}

/** Results of an examination. */
export const ok = (detail: string) => ({ status: 'ok' as const, detail })
export const warn = (detail: string, hint: string) => ({ status: 'warn' as const, detail, hint })
export const fail = (detail: string, hint: string) => ({ status: 'fail' as const, detail, hint })
