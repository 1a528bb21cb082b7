import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contextOf, machineOfTest } from '../../../test/kit/command-context.ts'
import type { RunOptions } from '../../../test/kit/harness.ts'
import { needsProgram } from '../../../test/kit/needs.ts'
import { secretLines } from '../../domain/secret.ts'
import { findSecrets, readSecrets, secretsOfRegularFile, signatureSettings } from './signature-options.ts'

const IN_FILE = 'whsec-from-the-file-0123456789'
const IN_ENVIRONMENT = 'whsec-from-the-environment-0123'
const IN_PROFILE = 'whsec-from-the-profile-0123456789'

/** A machine with a secret in a file, and in a profile if fields of one are given. */
function place(run: RunOptions = {}, profile?: Record<string, unknown>) {
  const acme = { environment: 'beta', baseUrl: 'https://api.example.com', ...profile }
  const m = machineOfTest(profile ? { acme } : {})
  const { world, stderr } = m.world(run)
  const file = join(m.dir, 'secret')
  writeFileSync(file, `${IN_FILE}\n`, { mode: 0o600 })
  return { m, file, stderr, context: contextOf(world) }
}

test('a secret is taken from the flag, then the environment, then the profile', async () => {
  const env = { BNPL_WEBHOOK_SECRET: IN_ENVIRONMENT }
  const profile = { webhookSecrets: [IN_PROFILE] }
  const all = place({ env }, profile)
  expect(await findSecrets(all.context, { secretFile: 'secret' })).toEqual({ values: [IN_FILE], source: 'file secret' })
  expect((await findSecrets(all.context, {}))?.values).toEqual([IN_ENVIRONMENT])
  expect((await findSecrets(place({}, profile).context, {}))?.values).toEqual([IN_PROFILE])
  expect(await readSecrets(place({}, profile).context, {})).toMatchObject({ values: [IN_PROFILE] })
  expect(await findSecrets(place().context, {})).toBeUndefined()
  expect(await findSecrets(place({}, { webhookSecrets: [' '] }).context, {})).toBeUndefined()
})

test('stdin gives a secret, and together with a file it is refused', async () => {
  const { context } = place({ stdin: ` ${IN_FILE} \r\n\nsecond-secret-0123456789\n` })
  await expect(findSecrets(context, { secretFile: 'secret', secretStdin: true })).rejects.toMatchObject({
    kind: 'usage',
    message: '--secret-file and --secret-stdin cannot be used together',
  })
  expect(await findSecrets(context, { secretStdin: true })).toEqual({
    values: [IN_FILE, 'second-secret-0123456789'],
    source: 'stdin',
  })
})

test('an empty or missing secret source that an option names is an error, without a fallback to another source', async () => {
  const env = { BNPL_WEBHOOK_SECRET: IN_ENVIRONMENT }
  const { context, file } = place({ env, stdin: ' \n' })
  writeFileSync(file, '\n \n')
  for (const [options, from] of [
    [{ secretFile: 'secret' }, 'file secret'],
    [{ secretStdin: true }, 'stdin'],
  ] as const)
    await expect(findSecrets(context, options)).rejects.toMatchObject({
      kind: 'config',
      code: 'NO_WEBHOOK_SECRET',
      message: `the webhook secret from ${from} is empty`,
    })
  await expect(findSecrets(context, { secretFile: 'no-such' })).rejects.toMatchObject({
    code: 'SECRET_FILE',
    message: expect.stringMatching(/no-such cannot be read: it does not exist$/),
  })
})

test('if no secret is set, the error says why a secret is needed and names every source of a secret', async () => {
  const { context } = place()
  await expect(readSecrets(context, {})).rejects.toMatchObject({
    code: 'NO_WEBHOOK_SECRET',
    message: 'no webhook secret is set, and without a secret anybody could send events',
    hint: expect.stringMatching(/BNPL_WEBHOOK_SECRET.*--secret-file.*--secret-stdin.*--save-secret/),
  })
  await expect(readSecrets(context, {}, 'nothing can be signed')).rejects.toMatchObject({
    message: 'no webhook secret is set, and nothing can be signed',
  })
})

test('a secret file that others can read is reported', async () => {
  const { context, file, stderr } = place()
  chmodSync(file, 0o644)
  await findSecrets(context, { secretFile: 'secret' })
  expect(stderr()).toContain(file)
  expect(stderr()).toContain('secret')
  expect(stderr()).not.toContain(IN_FILE)
})

test('a secret file that is read repeatedly must be a regular file, not a pipe or a folder', async () => {
  const { m, file } = place()
  expect(await secretsOfRegularFile(file)).toEqual([IN_FILE])
  needsProgram('mkfifo')
  const pipe = join(m.dir, 'pipe')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  for (const path of [pipe, m.dir])
    await expect(secretsOfRegularFile(path)).rejects.toMatchObject({
      code: 'SECRET_FILE',
      message: `the secret file ${path} is not a regular file`,
    })
  await expect(secretsOfRegularFile(join(m.dir, 'no-such'))).rejects.toMatchObject({
    code: 'SECRET_FILE',
    message: expect.stringContaining('it does not exist'),
  })
})

test('blanks around secrets and empty lines are removed', () => {
  expect(secretLines(' a \r\n\n\tb')).toEqual(['a', 'b'])
  expect(secretLines('\n')).toEqual([])
})

test('algorithm and encoding come from the flag, the profile or the default; case and dashes do not matter', async () => {
  expect(await signatureSettings(place().context, {})).toEqual({ algorithm: 'sha256', encoding: 'hex' })
  const { context } = place({}, { hmacAlgorithm: 'sha512', hmacEncoding: 'base64' })
  expect(await signatureSettings(context, {})).toEqual({ algorithm: 'sha512', encoding: 'base64' })
  expect(await signatureSettings(context, { hmacAlgorithm: 'SHA-1', hmacEncoding: 'HEX' })).toEqual({
    algorithm: 'sha1',
    encoding: 'hex',
  })
})

test('an unknown algorithm or encoding is a usage error that names the valid values', async () => {
  const { context } = place()
  await expect(signatureSettings(context, { hmacAlgorithm: 'rot13' })).rejects.toMatchObject({
    kind: 'usage',
    code: 'HMAC_ALGORITHM',
    message: '“rot13” is not a signature algorithm',
    hint: expect.stringContaining('sha256, '),
  })
  await expect(signatureSettings(context, { hmacEncoding: 'octal' })).rejects.toMatchObject({
    kind: 'usage',
    code: 'HMAC_ENCODING',
    message: '“octal” is not a signature encoding',
    hint: 'Use one of: hex, base64.',
  })
})
