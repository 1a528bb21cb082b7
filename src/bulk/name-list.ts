interface NameList {
  add(name: string): void
  /** The different names, in the order in which they were first added. Undefined if there are too many. */
  names(): readonly string[] | undefined
}

/** CSV results have at most this many columns from an NDJSON file, because every row has a cell for each of them. */
const MAX_NAMES = 1000
/** The maximum total length of all names, in characters. */
const MAX_LENGTH = 1_000_000

/** Returns a list of different names. Its memory is limited, because each row of an NDJSON file can have new names. */
export function createNameList(): NameList {
  const names = new Set<string>()
  let length = 0
  let isFull = false
  return {
    add(name) {
      if (isFull || names.has(name)) return
      length += name.length
      isFull = names.size === MAX_NAMES || length > MAX_LENGTH
      if (isFull) names.clear()
      else names.add(name)
    },
    names: () => (isFull ? undefined : [...names]),
  }
}
