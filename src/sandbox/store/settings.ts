import type { Db } from './tables.ts'

/** The values the sandbox keeps of itself. */
export type SettingName = 'clockOffsetMs' | 'signingSecret' | 'deliverySteps' | 'probe'

export async function readSetting(db: Db, name: SettingName): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

export async function writeSetting(db: Db, name: SettingName, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
