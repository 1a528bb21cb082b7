/** A fact that the specification does not show. */
export interface Gap {
  number: number
  /** What is not shown. */
  notShown: string
  /** What the sandbox picked, because it must work. No other part of the program depends on it silently. */
  sandbox: string
}
