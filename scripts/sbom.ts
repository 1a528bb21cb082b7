import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import type { Bundled } from './bundled.ts'

/**
 * Returns the bill of materials of the program, as CycloneDX 1.6 in JSON. It has no time and no serial number, so that the same program
 * always has the same text.
 */
export function sbomOf(
  program: { name: string; version: string; license: string },
  packages: readonly Bundled[],
): string {
  const component = (
    type: Enums.ComponentType,
    { name, version, license }: Pick<Bundled, 'name' | 'version' | 'license'>,
  ) => {
    const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name]
    const purl = purlOf(name, version)
    const made = new Models.Component(type, own ?? name, { ...(group && { group }), version, purl, bomRef: purl })
    made.licenses.add(new Models.LicenseExpression(license))
    return made
  }
  const root = component(Enums.ComponentType.Application, program)
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) })
  for (const each of packages) {
    const made = component(Enums.ComponentType.Library, each)
    made.hashes.set(Enums.HashAlgorithm['SHA-512'], hexOf(each.integrity))
    root.dependencies.add(made.bomRef)
    bom.components.add(made)
  }
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** Returns the package URL of an npm package: https://github.com/package-url/purl-spec. */
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const hexOf = (integrity: string) => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
