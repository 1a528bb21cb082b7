/** Characters below which a text is hardly a secret: 16 of hex are 64 bits. */
export const SHORT_SECRET = 16

/** Why a text is hardly a webhook secret: it has a blank inside, or it is short. @returns undefined for one that may well be */
export function doubtAbout(secret: string): 'blank' | 'short' | undefined {
  if (/\s/.test(secret)) return 'blank'
  return secret.length < SHORT_SECRET ? 'short' : undefined
}
