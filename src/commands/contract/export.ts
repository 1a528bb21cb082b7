import { join, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { usage } from '../../errors.ts'
import { renderTable, tableOn } from '../../terminal/table.ts'
import { toJson } from '../../text/visible.ts'
import { refuseDryRun } from '../global-options.ts'

interface ExportOptions {
  har?: string | undefined
  fixtures?: string | undefined
  force?: boolean | undefined
}

interface Exported {
  file: string
  entries: number
}

/**
 * Writes recordings as HAR or as fixtures. Throws `usage` if a file exists already (without `--force`), and `output`
 * if a file cannot be written.
 */
export async function exportRecordings(
  context: Context,
  files: readonly string[],
  options: ExportOptions,
): Promise<void> {
  refuseDryRun(context)
  const { cwd } = context.world
  const paths = files.map((file) => resolve(cwd, file))
  const { har, fixtures } = options
  if (har === undefined && fixtures === undefined)
    throw usage('the format is missing', 'Add --har FILE or --fixtures DIR.', 'NO_FORMAT')
  const written: Exported[] = []
  if (har !== undefined) written.push(await writeHar(context, paths, har, options))
  if (fixtures !== undefined) written.push(...(await writeFixtures(context, paths, fixtures, options)))
  const { output } = context
  await output.result(written, () =>
    renderTable(
      written,
      [
        { title: 'File', value: ({ file }) => file, shrinks: 'middle' },
        { title: 'Entries', value: ({ entries }) => String(entries), align: 'right' },
      ],
      tableOn(output),
    ),
  )
}

async function writeHar(
  { world }: Context,
  paths: readonly string[],
  name: string,
  { force = false }: ExportOptions,
): Promise<Exported> {
  const file = resolve(world.cwd, name)
  const { checkTarget, openTarget } = await import('../../disk/target-file.ts')
  const { readRecording } = await import('../../recording/lines.ts')
  const { createHarWriter } = await import('../../recording/export-formats.ts')
  await checkTarget(file, force, '--har')
  const har = createHarWriter()
  const target = openTarget(file, { force, pid: world.pid, mode: 0o600, otherPlace: '--har' })
  let entries = 0
  try {
    target.take(Buffer.from(har.head(world.version)))
    for (const path of paths)
      for await (const { entry } of readRecording(path)) {
        const text = har.entry(entry)
        if (text === undefined) continue
        entries++
        target.take(Buffer.from(text))
      }
    target.take(Buffer.from(har.tail))
    await target.commit()
  } finally {
    await target.discard()
  }
  return { file: name, entries }
}

async function writeFixtures(
  { world }: Context,
  paths: readonly string[],
  dir: string,
  { force = false }: ExportOptions,
): Promise<Exported[]> {
  const { checkTarget, openTarget } = await import('../../disk/target-file.ts')
  const { readRecording } = await import('../../recording/lines.ts')
  const { createFixtures } = await import('../../recording/export-formats.ts')
  const set = createFixtures()
  for (const path of paths) for await (const { entry } of readRecording(path)) set.add(entry)
  const index = set.index()
  const files = [
    ...set.fixtures().map(({ file, content }, i) => ({ file, content, entries: index[i]?.count ?? 0 })),
    { file: 'index.json', content: index, entries: index.length },
  ].map((each) => ({ ...each, name: join(dir, each.file), file: resolve(world.cwd, dir, each.file) }))
  for (const { file } of files) await checkTarget(file, force, '--fixtures')
  for (const { file, content } of files) {
    const target = openTarget(file, { force, pid: world.pid, mode: 0o600, otherPlace: '--fixtures' })
    try {
      target.take(Buffer.from(`${toJson(content, 2)}\n`))
      await target.commit()
    } finally {
      await target.discard()
    }
  }
  return files.map(({ name, entries }) => ({ file: name, entries }))
}
