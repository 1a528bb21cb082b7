/** What is wrong with the lines of a file: the first ones to be shown, the rest counted. */
export interface Problems {
  add(line: number, problem: string): void
  count(): number
  /** The first problems by line, and how many more there are. */
  lines(): string[]
}

const SHOWN = 20

export function createProblems(): Problems {
  let kept: { line: number; problem: string }[] = []
  let count = 0
  const sort = () => {
    kept = kept.sort((a, b) => a.line - b.line).slice(0, SHOWN)
  }
  return {
    add(line, problem) {
      count++
      kept.push({ line, problem })
      if (kept.length > 10 * SHOWN) sort()
    },
    count: () => count,
    lines() {
      sort()
      const more = count > kept.length ? [`… and ${count - kept.length} more`] : []
      return [...kept.map(({ line, problem }) => `line ${line}: ${problem}`), ...more]
    },
  }
}
