/** Returns a number with its noun, such as `1 run` or `3 runs`. The plural of the noun must end with `s`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
