/** A fact that the specification does not show. */
export interface Gap {
  number: number
  /** What is not shown. */
  notShown: string
  /** What the command line does against any service. It invents nothing. */
  cli: string
  /** What the sandbox picked, because it must work. Nothing in the command line depends on it silently. */
  sandbox: string
}
