export interface Explanation {
  /**
   * `status`: a status of an endpoint; `exit`: an exit code of this program; `sandbox`: a code that only the sandbox or the proxy sends;
   * `error`: the code of an error of this program.
   */
  about: 'code' | 'status' | 'exit' | 'sandbox' | 'error'
  code: string
  /** The endpoint that returns the code, such as `POST /partner/…`; null if the code does not belong to one endpoint. */
  endpoint: string | null
  meaning: string
  hint: string | null
  /** What concerns only the sandbox and the specification, for developers. */
  note?: string
  /** The exit code of a command that receives this code; null for a code of the sandbox. */
  exit: number | null
  kind: string | null
}

/** Returns the meaning of a code, short enough for a list. For a code of the sandbox, it is only the first sentence of the long text. */
export const shortMeaning = ({ about, meaning }: Explanation): string =>
  about === 'sandbox' ? (meaning.split('. ')[0] ?? meaning) : meaning
