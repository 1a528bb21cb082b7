import { expect, test } from 'vitest'
import { profileOf, SANDBOX_PROFILES, sandboxTraits } from './sandbox-accounts.ts'

test('the sandbox has exactly these four accounts, and any other name is unknown', () => {
  expect(SANDBOX_PROFILES).toEqual({
    sandbox: { product: 'bnpl', evaluationModule: false, active: true },
    'sandbox:real-estate': { product: 'real-estate', evaluationModule: true, active: true },
    'sandbox:no-module': { product: 'real-estate', evaluationModule: false, active: true },
    'sandbox:inactive': { product: 'real-estate', evaluationModule: true, active: false },
  })
  for (const name of [undefined, 'acme', 'Sandbox', 'sandbox:', 'toString', '__proto__'])
    expect(sandboxTraits(name)).toBeUndefined()
})

test('each account is found by its profile, and its profile by its properties', () => {
  for (const [name, traits] of Object.entries(SANDBOX_PROFILES)) {
    expect(sandboxTraits(name)).toBe(traits)
    expect(profileOf({ ...traits })).toBe(name)
  }
  expect(profileOf({ product: 'bnpl', evaluationModule: true, active: true })).toBeUndefined()
  expect(profileOf({ product: 'bnpl', evaluationModule: false, active: false })).toBeUndefined()
})
