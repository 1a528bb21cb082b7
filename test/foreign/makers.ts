import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateSource } from 'oazapfts'
import createFetchClient from 'openapi-fetch'
import { expect } from 'vitest'
import { ROOT } from '../kit/source-graph.ts'

/** The arguments of a call in the document. */
export interface Given {
  key: string
  /** The parameters of the path. */
  path?: Record<string, string>
  body?: Record<string, unknown>
}

/** Calls an operation of the document by its name. The client was generated from the document by a tool of other authors. */
export type Client = (operation: string, given: Given) => Promise<{ status: number; data: any }>

interface Where {
  /** A folder beside the sources, so that the client's imports are found. */
  dir: string
  /** The file of the document. */
  file: string
  document: any
  baseUrl: string
}

const authorization = (key: string) => ({ authorization: `Bearer ${key}` })
const FORM_HEADER = { 'content-type': 'application/x-www-form-urlencoded' }

/** Makes a client with each tool. The keys are the names of the tools. */
export const MAKERS: Readonly<Record<string, (where: Where) => Promise<Client>>> = {
  async oazapfts({ dir, file, baseUrl }) {
    const path = join(dir, 'oazapfts.ts')
    writeFileSync(path, await generateSource(file))
    compiles(path)
    const made = await import(path)
    return async (operation, { key, path: params = {}, body }) => {
      const options = { baseUrl, headers: authorization(key) }
      return made[operation](...Object.values(params), ...(body === undefined ? [] : [body]), options)
    }
  },

  async '@hey-api/openapi-ts'({ dir, file, baseUrl }) {
    const folder = join(dir, 'hey-api')
    const generator = join(import.meta.dirname, 'generate-with-hey-api.ts')
    const made = spawnSync(process.execPath, [generator, file, folder], { encoding: 'utf8' })
    expect([made.status, made.stderr]).toEqual([0, ''])
    compiles(join(folder, 'index.ts'))
    const sdk = await import(join(folder, 'index.ts'))
    return async (operation, { key, path, body }) => {
      const { response, data } = await sdk[operation]({ baseUrl, auth: key, path, body })
      return { status: response.status, data }
    }
  },

  async 'openapi-fetch'({ document, baseUrl }) {
    const client = createFetchClient<any>({ baseUrl })
    const operations = new Map<string, [method: string, path: string, content: object]>()
    for (const [path, methods] of Object.entries<any>(document.paths))
      for (const [method, { operationId, requestBody }] of Object.entries<any>(methods))
        operations.set(operationId, [method, path, requestBody?.content ?? {}])
    return async (operation, { key, path: params, body }) => {
      const [method, path, content] = operations.get(operation) ?? ['', '', {}]
      // The client sends JSON unless its headers say otherwise.
      const isForm = body !== undefined && !('application/json' in content)
      const headers = { ...authorization(key), ...(isForm ? FORM_HEADER : {}) }
      const send = (client as any)[method.toUpperCase()]
      const { response, data } = await send(path, { params: { path: params }, body, headers })
      return { status: response.status, data }
    }
  },
}

/** Compiles the types of a client, with the strictest settings. */
function compiles(file: string): void {
  const tsc = join(ROOT, 'node_modules/typescript/lib/tsc.js')
  const flags =
    '--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler'
  expect(spawnSync(process.execPath, [tsc, ...flags.split(' '), file], { encoding: 'utf8' }).stdout).toBe('')
}
