import { expect, test } from 'vitest'
import { PATH_SETTINGS } from '../contract/description.ts'
import type { ProfileFile } from './profile.ts'
import { environmentSuffices, knownAnswers, profileName, resolveSettings } from './resolve.ts'

const file: ProfileFile = {
  version: 1,
  default: 'acme',
  profiles: {
    acme: {
      environment: 'production',
      baseUrl: 'https://api.example.com',
      apiKey: 'profile-key',
      entityId: 'E-profile',
      webhookSecrets: ['new', 'old'],
      hmacEncoding: 'base64',
      'paths.leads': '/partner/leads',
    },
  },
}
const sandbox = {
  baseUrl: 'http://127.0.0.1:1',
  paymentUrl: 'http://127.0.0.1:1/pay',
  apiKey: 'sandbox-key',
  publicKey: 'sandbox-public',
  entityId: 'sandbox-entity',
  webhookSecret: 'whsec_1',
}
const acme = { value: 'acme', source: 'test' }

test('the profile is named by the flag, then the environment, then the default', () => {
  const env = { BNPL_PROFILE: 'from-env' }
  expect(profileName('flag', env, 'default')).toEqual({ value: 'flag', source: '--profile' })
  expect(profileName(undefined, env, 'default')).toEqual({ value: 'from-env', source: 'BNPL_PROFILE' })
  expect(profileName(undefined, { BNPL_PROFILE: '' }, 'default')).toEqual({
    value: 'default',
    source: 'default profile',
  })
  expect(profileName(undefined, {}, undefined)).toBeUndefined()
})

test('no profile file is needed if the environment names a service and a key, and no profile is named', () => {
  const env = { BNPL_API_KEY: 'k', BNPL_BASE_URL: 'https://a.example' }
  expect(environmentSuffices(undefined, env)).toBe(true)
  expect(environmentSuffices('acme', env)).toBe(false)
  expect(environmentSuffices(undefined, { ...env, BNPL_PROFILE: 'acme' })).toBe(false)
  expect(environmentSuffices(undefined, { ...env, BNPL_API_KEY: '' })).toBe(false)
})

test('a setting comes from the environment, then the profile, then the default; an empty variable is ignored', () => {
  const settings = resolveSettings(acme, file, { BNPL_ENTITY_ID: 'E-env', BNPL_PUBLIC_KEY: '' }, undefined)
  expect(settings).toMatchObject({
    environment: { value: 'production', source: 'profile acme' },
    entityId: { value: 'E-env', source: 'BNPL_ENTITY_ID' },
    apiKey: { value: 'profile-key', source: 'profile acme' },
    publicKey: undefined,
    webhookSecrets: { value: ['new', 'old'], source: 'profile acme' },
    service: {
      answers: {
        hmacEncoding: { text: 'base64', source: { setting: 'profile acme' } },
        hmacAlgorithm: { text: 'sha256', source: 'convention' },
        projectField: { text: 'projectId', source: 'convention' },
      },
    },
    serviceSource: 'default',
  })
  expect(knownAnswers(settings.service, PATH_SETTINGS)).toEqual({ 'paths.leads': '/partner/leads' })
})

test('the environment of a real service does not change the sandbox’s settings', () => {
  const env = {
    BNPL_API_KEY: 'live-key',
    BNPL_BASE_URL: 'https://api.example.com',
    BNPL_PAYMENT_URL: 'https://pay.example.com',
    BNPL_PUBLIC_KEY: 'live-public',
    BNPL_ENTITY_ID: 'live-entity',
  }
  const settings = resolveSettings({ value: 'sandbox', source: '--profile' }, file, env, sandbox)
  expect(settings.environment.value).toBe('sandbox')
  const { webhookSecret, ...account } = sandbox
  expect(settings.webhookSecrets).toEqual({ value: [webhookSecret], source: 'sandbox' })
  for (const [name, value] of Object.entries(account)) {
    expect(settings[name as keyof typeof account]).toEqual({ value, source: 'sandbox' })
  }
  expect(JSON.stringify(settings)).not.toMatch(/\blive|example\.com/)
})

test('without a profile, settings come only from the environment and the defaults', () => {
  const settings = resolveSettings(
    undefined,
    undefined,
    { BNPL_API_KEY: ' k ', BNPL_BASE_URL: 'https://a.example' },
    undefined,
  )
  expect(settings).toMatchObject({
    profile: undefined,
    environment: { value: 'unknown', source: 'default' },
    apiKey: { value: 'k', source: 'BNPL_API_KEY' },
  })
})

test.each(['nobody', '__proto__', 'constructor', 'toString'])(
  'a profile that does not exist is refused: %s',
  (value) => {
    expect(() => resolveSettings({ value, source: '--profile' }, file, {}, undefined)).toThrow(/does not exist/)
  },
)

test.each([
  ['nobody', true],
  ['__proto__', false],
  ['Sandbox', false],
  ['two words', false],
])('the error suggests bnpl profiles add only for a name that can be added: %s', (value, suggested) => {
  const hint = (() => {
    try {
      resolveSettings({ value, source: '--profile' }, file, {}, undefined)
    } catch (error) {
      return (error as { hint?: string }).hint
    }
  })()
  expect(hint).toContain('Use one of: acme, ')
  expect(hint?.includes('bnpl profiles add')).toBe(suggested)
})

test('a stored key is refused for another address from the environment, but BNPL_API_KEY is accepted', () => {
  const moved = { BNPL_BASE_URL: 'https://other.example' }
  expect(() => resolveSettings(acme, file, moved, undefined)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('belongs to https://api.example.com'),
      hint: expect.stringMatching(/^Set the key of https:\/\/other\.example in BNPL_API_KEY, or /),
    }),
  )
  expect(resolveSettings(acme, file, { ...moved, BNPL_API_KEY: 'k' }, undefined).apiKey?.value).toBe('k')
})

test('a stored key is used only with the origin it was stored for, also after the file was edited [row 7]', () => {
  const edited = structuredClone(file)
  Object.assign(edited.profiles.acme ?? {}, {
    apiKeyOrigin: 'https://api.example.com',
    baseUrl: 'https://evil.example',
  })
  expect(() => resolveSettings(acme, edited, {}, undefined)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('evil.example'),
      hint: expect.stringContaining('in BNPL_API_KEY or with bnpl profiles set-key acme, or '),
    }),
  )
})

test('a malformed BNPL_API_KEY is refused without being shown [row 2]', () => {
  const failing = () => resolveSettings(acme, file, { BNPL_API_KEY: 'canary’s' }, undefined)
  expect(failing).toThrow('BNPL_API_KEY')
  expect(failing).not.toThrow(/canary/)
})

test.each([
  ['BNPL_PUBLIC_KEY', { BNPL_PUBLIC_KEY: 'sk_live_canary' }],
  ['BNPL_PUBLIC_KEY', { BNPL_PUBLIC_KEY: 'key-canary', BNPL_API_KEY: ' key-canary\n' }],
  ['profile acme', {}],
])('a secret key in the place of the public key is refused without being shown: %s %j', (source, env) => {
  const edited = structuredClone(file)
  Object.assign(edited.profiles.acme ?? {}, { apiKey: 'own-canary', publicKey: 'own-canary' })
  const failing = () => resolveSettings(acme, edited, env, undefined)
  expect(failing).toThrow(
    expect.objectContaining({
      kind: 'config',
      code: 'BAD_PUBLIC_KEY',
      message: `the public key from ${source} is not valid: it looks like a secret key, but the public key is visible to everybody`,
    }),
  )
  expect(failing).not.toThrow(/canary/)
})

test.each(['BNPL_BASE_URL', 'BNPL_PAYMENT_URL'])(
  '%s must not have a query or a fragment, because paths are added to it',
  (name) => {
    for (const end of ['?tenant=1', '#top']) {
      const env = { BNPL_BASE_URL: 'https://a.example', BNPL_API_KEY: 'k', [name]: `https://a.example/p${end}` }
      expect(() => resolveSettings(undefined, undefined, env, undefined)).toThrow(
        expect.objectContaining({
          kind: 'config',
          code: 'BAD_ADDRESS',
          message: expect.stringContaining(`from ${name} is not valid: it must not have`),
        }),
      )
    }
  },
)
