import { integerInput } from '../../service/controls/control-action.ts'

/** Rows of a list that are shown at once: the browser draws no more, however many there are. */
export const PAGE_ROWS = 50

/** Which page of a list is asked for: `{page}` from 0. */
export function pageInput(input: Record<string, unknown>): { page: number; offset: number } {
  const page = integerInput(input, 'page') ?? 0
  return { page, offset: page * PAGE_ROWS }
}
