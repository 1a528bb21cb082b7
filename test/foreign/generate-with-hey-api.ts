/**
 * Generates a client: `node generate-with-hey-api.ts DOCUMENT FOLDER`. The generator needs an interface of the TypeScript compiler that
 * TypeScript 7 does not have. So it gets the older compiler that oazapfts installs.
 */
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const compiler = pathToFileURL(
  createRequire(createRequire(import.meta.url).resolve('oazapfts')).resolve('typescript'),
).href
registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' ? { url: compiler, shortCircuit: true } : next(name, context),
})
const { createClient } = await import('@hey-api/openapi-ts')
const [, , input = '', path = ''] = process.argv
await createClient({ input, output: path, logs: { level: 'silent', file: false } })
