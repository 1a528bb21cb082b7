import { createNetwork } from '../../src/client/network.ts'
import type { Transport } from '../../src/contract/wire.ts'
import { WAIT_MS } from './limits.ts'

/** The network, as the program uses it. */
export const network = createNetwork({ env: {} })

/** The network, without the short limits of `webhooks test`: on a busy machine a correct receiver may need more than 3 s. */
export const patient: Transport = (request) => network.transport({ ...request, timeoutMs: WAIT_MS })
