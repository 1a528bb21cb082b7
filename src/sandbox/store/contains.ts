import { sql } from 'kysely'

/** Returns an SQL condition that is true if a column contains a text. Upper and lower case count as equal. */
export function contains(column: string, text: string) {
  const wanted = text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  return sql<boolean>`lower(${sql.ref(column)}) like ${`%${wanted}%`} escape '\\'`
}
