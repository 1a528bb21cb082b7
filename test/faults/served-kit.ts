import { afterAll } from 'vitest'
import { startTransportServer } from '../../src/sandbox/server/transport-server.ts'
import { sandboxKit } from '../kit/sandbox-kit.ts'

/** Serves a sandbox over HTTP until the tests of the file have ended. */
export async function servedKit() {
  const service = await startTransportServer({ host: '127.0.0.1', port: 0, onError: () => {} })
  const kit = await sandboxKit({ allowHttp: true, baseUrl: service.baseUrl })
  service.answerWith(kit.sandbox.transport)
  afterAll(async () => {
    await service.close()
    await kit[Symbol.asyncDispose]()
  })
  return { kit, service }
}
