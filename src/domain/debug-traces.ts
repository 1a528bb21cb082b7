/**
 * Whether a value of NODE_DEBUG makes Node print what is sent or received: headers, addresses and bodies, and with them keys, tokens
 * and national ids.
 */
export function tracesTraffic(nodeDebug: string | undefined): boolean {
  return /http|net|tls|fetch|undici|stream|\*/i.test(nodeDebug ?? '')
}
