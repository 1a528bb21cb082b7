/** Returns a function that draws numbers from 0 to 1, the same ones in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Characters and words with a special meaning for shells, terminals, options or the direction of text. */
export const PIECES = [
  ...Array.from({ length: 0x9f }, (_, i) => String.fromCharCode(i + 1)),
  ...'\u202e\u2066\u2069\u200b\u061c\ufeff\u2028\u00a0\u00adñ漢שלום😀',
  ...[
    '--out=',
    '-',
    '\u001b[201~',
    '$(id)',
    '`id`',
    '!!',
    '~',
    '=ls',
    '*',
    '\\',
    "'",
    '"',
    '\\0',
    '\\\n',
    '00',
    '7',
    '',
  ],
]

/** Returns texts that somebody may choose as ids. */
export function ids(count: number, seed = 1): string[] {
  const random = seeded(seed)
  const piece = () => PIECES[Math.floor(random() * PIECES.length)] ?? ''
  return Array.from({ length: count }, () => Array.from({ length: 1 + Math.floor(random() * 8) }, piece).join(''))
}
