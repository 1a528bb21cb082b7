import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

function undici(file: string): string {
  const root = dirname(createRequire(import.meta.url).resolve('undici/package.json'))
  return JSON.stringify(join(root, 'lib', file))
}

/** The code that replaces undici in the bundle. Importing a name that it does not export makes the build fail. */
const UNDICI = `
export { default as buildConnector } from ${undici('core/connect.js')}
export { default as Agent } from ${undici('dispatcher/agent.js')}
`

function prom(file: string): string {
  const root = dirname(createRequire(import.meta.url).resolve('prom-client/package.json'))
  return JSON.stringify(join(root, 'lib', file))
}

/** The code that replaces prom-client in the bundle. Importing a name that it does not export makes the build fail. */
const PROM_CLIENT = `
export { default as Registry } from ${prom('registry.js')}
export { default as Counter } from ${prom('counter.js')}
export { default as Gauge } from ${prom('gauge.js')}
export { default as Histogram } from ${prom('histogram.js')}
export { default as collectDefaultMetrics } from ${prom('defaultMetrics.js')}
`

/** Modules that are replaced in the bundle. The comment of each entry says why the original is not needed. */
const REPLACED: readonly { id: RegExp; importer?: RegExp; code: string }[] = [
  {
    // undici's main module also loads fetch, WebSocket, mocks and caches, which are ten times as much code as a call needs.
    id: /^undici$/,
    code: UNDICI,
  },
  {
    // HTTP/2 is turned off in `client/network.ts`, and loading it would take as long as loading the rest of the client.
    id: /\/client-h2\.js$/,
    importer: /\/undici\/lib\//,
    code: "export default () => { throw new Error('HTTP/2 is turned off') }",
  },
  {
    // An experimental second HTTP parser, which our code never turns on.
    id: /\/parser-h1\.js$/,
    importer: /\/undici\/lib\//,
    code: 'export const getMiloEnabled = () => false; export const H1Parser = undefined',
  },
  {
    // The schema checker that conf offers for its file. We do not use it, because our own code checks the file.
    id: /^ajv(-formats)?(\/|$)/,
    importer: /\/conf\//,
    code: "export const Ajv2020 = undefined; export default { default: () => { throw new Error('no schemas here') } }",
  },
  {
    // The prompt that opens an editor, with large tables of character sets. No command uses this prompt.
    id: /^@inquirer\/editor$/,
    importer: /\/@inquirer\/prompts\//,
    code: 'export default undefined',
  },
  {
    // prom-client's main module also loads code that sends metrics to a gateway, and code that collects metrics from a cluster.
    id: /^prom-client$/,
    code: PROM_CLIENT,
  },
  {
    // prom-client can note the trace to which a sample belongs. Our code does not use this.
    id: /^@opentelemetry\/api$/,
    importer: /\/prom-client\/lib\//,
    code: 'export default undefined',
  },
  {
    // pg can also connect through a library in C, or through Cloudflare's sockets. Our code uses neither.
    id: /^pg-(native|cloudflare)$/,
    importer: /\/pg\/lib\//,
    code: "throw new Error('pg must use the sockets of Node')",
  },
  {
    // The character widths of standard PDF fonts. Our reports use only Helvetica and Helvetica Bold.
    id: /^\.\/(Courier|Times|Symbol|ZapfDingbats|Helvetica-(Bold)?Oblique).*\.compressed\.json$/,
    importer: /\/@cantoo\/pdf-lib\//,
    code: "export default ''",
  },
  {
    // Decompresses the fonts. Node does it without loading V8's second compiler for it, which needs 5 MiB.
    id: /^\.\/utils\.js$/,
    importer: /\/@cantoo\/pdf-lib\/es\/packages\/standard-fonts\//,
    code: `
import { inflateSync } from 'node:zlib'
export const decompressJson = (base64) => inflateSync(Buffer.from(base64, 'base64')).toString('latin1')
export const padStart = (text, length, filler) => text.padStart(length, filler)
`,
  },
  {
    // Parsers for SVG and HTML, with large tables of HTML entities. Our reports contain no markup.
    id: /^(node-html-better-parser|html-entities)$/,
    importer: /\/@cantoo\/pdf-lib\//,
    code: "const none = () => { throw new Error('no markup here') }; export { none as parse, none as encode }; export const NodeType = {}",
  },
  {
    // The drawing of SVG files. Other modules of pdf-lib need the small functions of this file.
    id: /^\.\/svg\.js$/,
    importer: /\/@cantoo\/pdf-lib\/es\/api\/PDFPage\.js$/,
    code: "export const drawSvg = () => { throw new Error('no markup here') }",
  },
  {
    // A parser for CSS colours in every colour space. Our reports give colours as numbers.
    id: /^culori$/,
    importer: /\/@cantoo\/pdf-lib\//,
    code: "export const converter = () => () => { throw new Error('no colour names here') }",
  },
  {
    // commander needs these modules only for subcommands that are separate programs. We have no such subcommands.
    id: /^node:(child_process|fs|path)$/,
    importer: /\/commander\/lib\//,
    code: 'export default {}',
  },
  {
    // Use the global `process`. Importing it as a module would copy all its properties one by one at every start.
    id: /^node:process$/,
    importer: /\/commander\/lib\//,
    code: 'export default process',
  },
]

/**
 * commander's pattern knows the letters of all languages and takes a third of a millisecond of each start. A pattern for ASCII replaces it,
 * because our options are in ASCII.
 */
const DEAR = {
  file: /\/commander\/lib\/option\.js$/,
  text: '/\\p{ID_Continue}\\.\\.\\.[>\\]]$/u',
  instead: '/\\w\\.\\.\\.[>\\]]$/',
}

/** The modules of pdf-lib, of which only those are loaded whose exports are used. */
const PDF_LIB = /\/@cantoo\/pdf-lib\/es\//

/** The parts of pdf-lib that read, encrypt, sign or fill in documents, and those for pictures, attachments, scripts and fonts in files. */
const UNUSED_IN_PDF_LIB = new RegExp(
  `${PDF_LIB.source}(?:${[
    'api/(extraction|form|image|pdfa)/(?!index|catalogMetadata)',
    'api/(PDF(EmbeddedFile|EmbeddedPage|Image|JavaScript|JavaScriptAction|Svg)|snapshot/IncrementalDocumentSnapshot)\\.js',
    'core/(acroform|annotation|interactive|parser|security|streams)/(?!index)',
    'core/(crypto|PDFObjectCopier|embedders/(?!StandardFontEmbedder)\\w+)\\.js',
    'packages/upng/',
  ].join('|')})`,
)

/** Returns a module with the same exports, each a function that throws. */
function emptied(code: string, id: string): string {
  const names = [...code.matchAll(/^export (?:const|class|function|var) (\w+)/gm)].map(([, name]) => name)
  for (const [, list = ''] of code.matchAll(/^export \{([^}]+)\}/gm))
    names.push(...(list.match(/\w+(?=\s*(?:,|$))/g) ?? []))
  if (/^export default /m.test(code)) names.push('default')
  const text = JSON.stringify(`${id.replace(/.*\/node_modules\//, '')} is not in the bundle`)
  return `function unused() { throw new Error(${text}) } export { ${names.map((name) => `unused as ${name}`).join(', ')} }`
}

/** Leaves out of the bundle the parts of libraries that this program never uses, because loading them would make every start slower. */
export const trimmed: Plugin = {
  name: 'trimmed',
  resolveId(name, from) {
    const i = REPLACED.findIndex(({ id, importer }) => id.test(name) && (importer?.test(from ?? '') ?? true))
    return i < 0 ? undefined : `\0trimmed:${i}`
  },
  load(id) {
    const [, i] = /^\0trimmed:(\d+)$/.exec(id) ?? []
    return i === undefined ? undefined : REPLACED[Number(i)]?.code
  },
  transform(code, id) {
    if (PDF_LIB.test(id))
      return { code: UNUSED_IN_PDF_LIB.test(id) ? emptied(code, id) : code, moduleSideEffects: false }
    if (!DEAR.file.test(id)) return undefined
    if (!code.includes(DEAR.text)) throw new Error(`${id} does not contain the pattern ${DEAR.text}`)
    return code.replace(DEAR.text, () => DEAR.instead)
  },
}
