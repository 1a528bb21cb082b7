import { hash } from 'node:crypto'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import type { Bundled } from './bundled.ts'

/** A file that is shipped unchanged, and is not a module of a package. */
export interface ShippedFile {
  name: string
  version: string
  license: string
  /** The text of its licence. */
  terms: string
  bytes: Uint8Array
}

/**
 * Returns the bill of materials of the program, as CycloneDX 1.6 in JSON. The same program always has the same text: its serial number is
 * made from its content.
 * @param at the time of the build, in seconds since 1970 (SOURCE_DATE_EPOCH)
 */
export function sbomOf(
  program: { name: string; version: string; license: string },
  packages: readonly Bundled[],
  files: readonly ShippedFile[],
  { at, tool }: { at: number; tool: string },
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
  for (const { name, version, license, bytes } of files) {
    const made = new Models.Component(Enums.ComponentType.File, name, { version, bomRef: `file:${name}` })
    made.licenses.add(new Models.LicenseExpression(license))
    made.hashes.set(Enums.HashAlgorithm['SHA-512'], hash('sha512', bytes))
    root.dependencies.add(made.bomRef)
    bom.components.add(made)
  }
  const library = new Models.Component(Enums.ComponentType.Library, 'cyclonedx-library', {
    group: '@cyclonedx',
    version: tool,
  })
  bom.metadata.tools.components.add(library)
  bom.metadata.timestamp = new Date(at * 1000)
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  const text = () => serialized(normalizer, bom)
  bom.serialNumber = `urn:uuid:${uuidOf(text())}`
  return text()
}

/** Returns a UUID of version 8 (RFC 9562) made from a text. */
function uuidOf(text: string): string {
  const digits = hash('sha256', text)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

function serialized(normalizer: Serialize.JSON.Normalize.Factory, bom: Models.Bom): string {
  return `${new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** Returns the package URL of an npm package: https://github.com/package-url/purl-spec. */
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const hexOf = (integrity: string) => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
