/**
 * Whether a value of NODE_DEBUG makes Node print headers, addresses and bodies that are sent or received, and with them keys, tokens and
 * national ids.
 */
export function tracesTraffic(nodeDebug: string | undefined): boolean {
  return /http|net|tls|fetch|undici|stream|\*/i.test(nodeDebug ?? '')
}
