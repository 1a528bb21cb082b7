import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundled } from './bundled.ts'
import type { ShippedFile } from './sbom.ts'

/**
 * Returns the licences of bundled packages and shipped files, as one text.
 * @throws when a package has no licence text, because it must not be shipped without one
 */
export function licencesOf(packages: readonly Bundled[], files: readonly ShippedFile[]): string {
  return [
    'bnpl is bundled with the packages below. Each is under its own licence.\n',
    ...packages.map(
      (each) => `${'-'.repeat(80)}\n${each.name} ${each.version} (${each.license})\n\n${licenceOf(each).trim()}\n`,
    ),
    ...files.map(
      (each) => `${'-'.repeat(80)}\n${each.name} ${each.version} (${each.license})\n\n${each.terms.trim()}\n`,
    ),
  ].join('\n')
}

function licenceOf({ name, folder }: Bundled): string {
  const read = (pattern: RegExp) => {
    const file = readdirSync(folder).find((each) => pattern.test(each))
    return file && readFileSync(join(folder, file), 'utf8')
  }
  const text = read(/^(licen[cs]e|copying)(\.|-|$)/i) ?? licenceIn(read(/^readme\.md$/i))
  if (text === undefined) throw new Error(`the package ${name} has no licence text`)
  return text
}

/** Some packages have their licence as the last section of the README. */
function licenceIn(readme = ''): string | undefined {
  const text = /^#+ *licen[cs]e *$(.*)/ims.exec(readme)?.[1]
  return text?.includes('Copyright') ? text : undefined
}
