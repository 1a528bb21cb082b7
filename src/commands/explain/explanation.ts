export interface Explanation {
  /** `status`: a status of an endpoint; `exit`: an exit code of this program; `sandbox`: a code that only the sandbox uses. */
  about: 'code' | 'status' | 'exit' | 'sandbox'
  code: string
  /** The endpoint that returns the code, such as `POST /partner/…`; null if the code does not belong to one endpoint. */
  endpoint: string | null
  meaning: string
  hint: string | null
  /** The exit code of a command that receives this code; null for a code of the sandbox. */
  exit: number | null
  kind: string | null
}

/** Returns the meaning for a list of all codes. For a code of the sandbox, this is the first sentence, because the whole text is long. */
export const shortMeaning = ({ about, meaning }: Explanation): string =>
  about === 'sandbox' ? (meaning.split('. ')[0] ?? meaning) : meaning
