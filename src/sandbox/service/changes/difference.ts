type Row = { readonly id: string }

export interface RowDifference<R extends Row> {
  came: readonly R[]
  changed: readonly { before: R; after: R }[]
  went: readonly R[]
}

/** Returns the rows of a table that were added, changed or removed between two moments. Rows with the same id are compared. */
export function difference<R extends Row>(before: readonly R[], after: readonly R[]): RowDifference<R> {
  const old = new Map(before.map((row) => [row.id, row]))
  const came: R[] = []
  const changed: { before: R; after: R }[] = []
  for (const row of after) {
    const was = old.get(row.id)
    if (was === undefined) came.push(row)
    else if (changedFields(was, row).length > 0) changed.push({ before: was, after: row })
    old.delete(row.id)
  }
  return { came, changed, went: [...old.values()] }
}

/** Returns the names of the fields that differ. */
export function changedFields<R extends object>(before: R, after: R): (keyof R & string)[] {
  const names: (keyof R & string)[] = []
  for (const name in after) if (before[name] !== after[name]) names.push(name)
  return names
}
