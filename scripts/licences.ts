import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Package {
  name: string
  version: string
  license: string
  text: string
}

/**
 * The licences of the packages that some bundled modules came from, as one text.
 * @param moduleIds absolute paths of the bundled modules
 * @throws when a package carries no licence: it must not be shipped unnoticed
 */
export function licencesOf(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []))
  const packages = [...folders].map(readPackage).sort((a, b) => (a.name < b.name ? -1 : 1))
  const unique = packages.filter(
    ({ name, version }, i) => packages[i - 1]?.name !== name || packages[i - 1]?.version !== version,
  )
  return [
    'bnpl is bundled with the packages below. Each is under its own licence.\n',
    ...unique.map(
      ({ name, version, license, text }) => `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`,
    ),
  ].join('\n')
}

/** `…/node_modules/name` or `…/node_modules/@scope/name` of a module's path; nothing for our own. */
function packageFolder(id: string): string | undefined {
  return /^(?:\0.*?)?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  const read = (pattern: RegExp) => {
    const file = readdirSync(folder).find((each) => pattern.test(each))
    return file && readFileSync(join(folder, file), 'utf8')
  }
  const text = read(/^(licen[cs]e|copying)(\.|-|$)/i) ?? licenceIn(read(/^readme\.md$/i))
  if (text === undefined) throw new Error(`${name} carries no licence`)
  return { name, version, license, text }
}

/** Some have their licence in the README, as its last part. */
function licenceIn(readme = ''): string | undefined {
  const text = /^#+ *licen[cs]e *$(.*)/ims.exec(readme)?.[1]
  return text?.includes('Copyright') ? text : undefined
}
