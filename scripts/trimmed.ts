import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

/** A file of undici, as an import names it. */
function undici(file: string): string {
  const root = dirname(createRequire(import.meta.url).resolve('undici/package.json'))
  return JSON.stringify(join(root, 'lib', file))
}

/** undici as the sources may import it: what they use, wired as its own front door wires it. Another name fails the build. */
const UNDICI = `
export { default as buildConnector } from ${undici('core/connect.js')}
export { default as Client } from ${undici('dispatcher/client.js')}
`

/** A file of prom-client, as an import names it. */
function prom(file: string): string {
  const root = dirname(createRequire(import.meta.url).resolve('prom-client/package.json'))
  return JSON.stringify(join(root, 'lib', file))
}

/** prom-client as the sources may import it. Another name fails the build. */
const PROM_CLIENT = `
export { default as Registry } from ${prom('registry.js')}
export { default as Counter } from ${prom('counter.js')}
export { default as Gauge } from ${prom('gauge.js')}
export { default as Histogram } from ${prom('histogram.js')}
export { default as collectDefaultMetrics } from ${prom('defaultMetrics.js')}
`

/** Modules replaced by what is needed of them here, by a pattern of their path or name, with the reason. */
const REPLACED: readonly { id: RegExp; importer?: RegExp; code: string }[] = [
  {
    // Its front door loads fetch, WebSocket, mocks and caches, ten times what a call needs.
    id: /^undici$/,
    code: UNDICI,
  },
  {
    // HTTP/2 is turned off in `client/undici.ts`, and loading it costs as much as the rest of the client.
    id: /\/client-h2\.js$/,
    importer: /\/undici\/lib\//,
    code: "export default () => { throw new Error('HTTP/2 is turned off') }",
  },
  {
    // An experimental second HTTP parser that nothing turns on.
    id: /\/parser-h1\.js$/,
    importer: /\/undici\/lib\//,
    code: 'export const getMiloEnabled = () => false; export const H1Parser = undefined',
  },
  {
    // The schema checker that conf offers for its file; ours is checked by the room that reads it.
    id: /^ajv(-formats)?(\/|$)/,
    importer: /\/conf\//,
    code: "export const Ajv2020 = undefined; export default { default: () => { throw new Error('no schemas here') } }",
  },
  {
    // The prompt that opens an editor, with its tables of every character set; no command asks that way.
    id: /^@inquirer\/editor$/,
    importer: /\/@inquirer\/prompts\//,
    code: 'export default undefined',
  },
  {
    // Its front door loads what pushes metrics to a gateway, over http and https, and what gathers them from a cluster.
    id: /^prom-client$/,
    code: PROM_CLIENT,
  },
  {
    // For the trace that a sample belongs to, which nothing here asks for.
    id: /^@opentelemetry\/api$/,
    importer: /\/prom-client\/lib\//,
    code: 'export default undefined',
  },
  {
    // Other ways to connect that it knows: a library in C, and Cloudflare's sockets.
    id: /^pg-(native|cloudflare)$/,
    importer: /\/pg\/lib\//,
    code: "throw new Error('only over sockets of Node')",
  },
  {
    // The metrics of the standard fonts; reports are set in Helvetica and its bold.
    id: /^\.\/(Courier|Times|Symbol|ZapfDingbats|Helvetica-(Bold)?Oblique).*\.compressed\.json$/,
    importer: /\/@cantoo\/pdf-lib\//,
    code: "export default ''",
  },
  {
    // Reads SVG and the forms of documents that others made, with a table of every entity of HTML twice over.
    id: /^(node-html-better-parser|html-entities)$/,
    importer: /\/@cantoo\/pdf-lib\//,
    code: "const none = () => { throw new Error('no markup here') }; export { none as parse, none as encode }; export const NodeType = {}",
  },
  {
    // Reads colours as CSS writes them, in every space there is; a report's are given as numbers.
    id: /^culori$/,
    importer: /\/@cantoo\/pdf-lib\//,
    code: "export const converter = () => () => { throw new Error('no colour names here') }",
  },
  {
    // commander loads them for subcommands that are programs of their own; there are none here.
    id: /^node:(child_process|fs|path)$/,
    importer: /\/commander\/lib\//,
    code: 'export default {}',
  },
  {
    // As a module of Node it would be copied, property by property, into what an import of a whole module is.
    id: /^node:process$/,
    importer: /\/commander\/lib\//,
    code: 'export default process',
  },
]

/** A pattern with every letter of every language costs each start a third of a millisecond; the options here are in ASCII. */
const DEAR = {
  file: /\/commander\/lib\/option\.js$/,
  text: '/\\p{ID_Continue}\\.\\.\\.[>\\]]$/u',
  instead: '/\\w\\.\\.\\.[>\\]]$/',
}

/** Leaves out of the bundle the parts of libraries that this program never reaches and every start would pay for. */
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
    if (!DEAR.file.test(id)) return undefined
    if (!code.includes(DEAR.text)) throw new Error(`${id} has another pattern: ${DEAR.text}`)
    return code.replace(DEAR.text, () => DEAR.instead)
  },
}
