import { describe } from 'vitest'
import { keepIn } from './store-place.ts'

// Runs the sandbox's test files again with their state in a database. On their own, these files use SQLite files.
keepIn('postgres')

describe('store', async () => void (await import('../src/sandbox/store/store.test.ts')))
describe('faults', async () => void (await import('../src/sandbox/service/faults.test.ts')))
describe('rate limit', async () => void (await import('../src/sandbox/service/rate-limit.test.ts')))
describe('evaluation', async () => void (await import('../src/sandbox/service/handlers/evaluations.test.ts')))
describe('payments', async () => void (await import('../src/sandbox/service/payments.test.ts')))
describe('webhooks', async () => void (await import('../src/sandbox/service/handlers/webhooks.test.ts')))
describe('deliveries', async () => void (await import('../src/sandbox/service/deliveries/deliveries.test.ts')))
describe('changes since a snapshot', async () => void (await import('../src/sandbox/service/changes/since.test.ts')))
describe('window', async () => void (await import('../src/sandbox/window/window.test.ts')))
