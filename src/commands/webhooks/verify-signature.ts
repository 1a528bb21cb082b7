import type { Context } from '../../context.ts'
import { AS_GIVEN, WITH_TIME } from '../../domain/body-bytes.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import type { Fit } from '../../domain/signature-doctor.ts'
import type { SignatureSettings } from '../../domain/signature-settings.ts'
import { BnplError, usage } from '../../errors.ts'
import type { Settings } from '../../profiles/resolve.ts'
import { countOf } from '../../terminal/numbers.ts'
import { renderFields } from '../../terminal/table.ts'
import { type Define, examples } from '../command.ts'
import { readBytes } from '../file-input.ts'
import { nextCommand } from '../global-options.ts'
import { addSignatureOptions, readSecrets, signatureSettings } from './signature-options.ts'

/** This is more than a receiver accepts, because the file may contain the body in a longer form, such as indented JSON. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

export const define: Define = (command, act) => {
  addSignatureOptions(
    command
      .requiredOption('--body-file <file>', 'the raw body as it was received; `-` for stdin')
      .requiredOption('--signature <text>', 'the value of the signature header'),
  ).action(
    act(async (context, options) => {
      if (options.bodyFile === '-' && options.secretStdin)
        throw usage('the body and the secret cannot both be read from stdin', 'Give the secret with --secret-file.')
      const settings = await signatureSettings(context, options)
      const body = await readBytes(context, options.bodyFile, MAX_BODY_BYTES)
      const secrets = await readSecrets(context, options, 'without a secret the signature cannot be checked')
      const { verifySignature } = await import('../../domain/signature.ts')
      const valid = verifySignature(options.signature, body, secrets.values, settings, context.clock.now())
      const fits = valid ? [] : (await doctor()).diagnose(options.signature, body, secrets.values)
      const result = {
        valid,
        algorithm: settings.algorithm,
        encoding: settings.encoding,
        secrets: secrets.values.length,
        secretSource: secrets.source,
        bodyBytes: body.length,
        wouldMatch: fits,
      }
      await context.output.result(result, () => render(context, result))
      if (valid) return
      throw new BnplError('check-failed', 'the signature is not valid for this body', {
        code: 'SIGNATURE_INVALID',
        hint: [
          await lossIn(fits, body),
          adviceFor(fits, secrets.values.length, settings, hmacAdvice(context, await context.settings())),
        ].join(''),
      })
    }),
  )
  examples(command, [
    ['check a delivery that was refused', 'bnpl webhooks verify-signature --body-file body.json --signature SIGNATURE'],
    [
      'read the secret from a vault',
      'vault read -field=secret bnpl | bnpl webhooks verify-signature --body-file body.json --signature SIGNATURE --secret-stdin',
    ],
  ])
}

/** Returns a sentence about a body that cannot be the signed one, because a part of it was lost. */
async function lossIn(fits: readonly Fit[], body: Uint8Array): Promise<string> {
  if (fits.length > 0) return ''
  const lost = (await doctor()).lostCharacters(body)
  return lost === undefined ? '' : `${lost}. Save the raw bytes of the delivery, without converting them to text. `
}

const doctor = () => import('../../domain/signature-doctor.ts')

function render(
  context: Context,
  result: {
    valid: boolean
    algorithm: string
    encoding: string
    secrets: number
    secretSource: string
    bodyBytes: number
    wouldMatch: Fit[]
  },
): Promise<string> {
  const [fit] = result.wouldMatch
  const { inLanguage } = context.output
  const secrets = countOf(result.secrets, 'secret')
  const fields: [string, string][] = [
    ...(result.valid ? [['Signature', 'valid'] as [string, string]] : []),
    ['Tried', `${result.algorithm}, ${result.encoding}, ${inLanguage(secrets)} (${inLanguage(result.secretSource)})`],
    ['Body', `${result.bodyBytes} bytes`],
  ]
  if (fit) {
    fields.push(['Needed for a match', `${fit.algorithm}, ${fit.encoding}`])
    for (const [name, form] of [
      ['body', fit.bodyForm],
      ['secret', fit.secretForm],
      ['signature', fit.signatureForm],
    ] as const)
      if (form !== AS_GIVEN) fields.push([`  the ${name}`, form])
  }
  return renderFields(fields, context.output)
}

type HmacAdvice = (setting: 'hmacAlgorithm' | 'hmacEncoding', value: string) => string

/**
 * Returns a function that says how to set the algorithm or the encoding: with a command that changes the profile, or with an option if no
 * profile is used, or if the profile is built in and cannot be changed.
 */
function hmacAdvice(context: Context, { profile }: Settings): HmacAdvice {
  if (profile !== undefined && sandboxTraits(profile.value) === undefined)
    return (setting, value) => `run: ${nextCommand(context, `bnpl profiles set ${setting} ${value}`)}`
  const option = { hmacAlgorithm: '--hmac-algorithm', hmacEncoding: '--hmac-encoding' }
  return (setting, value) => `add the option: ${option[setting]} ${value}`
}

function adviceFor([fit]: readonly Fit[], secrets: number, tried: SignatureSettings, howToSet: HmacAdvice): string {
  if (!fit) {
    return `Compare the raw body and the secret with those of the sender. The command tried ${secrets === 1 ? 'the secret' : `all ${secrets} secrets`} with every algorithm and encoding, and with common changes of the body, such as a line break at its end. No combination gives this signature, so the secret belongs to another destination, or the body differs from the signed body.`
  }
  const advice: string[] = []
  if (fit.bodyForm !== AS_GIVEN && fit.bodyForm !== WITH_TIME)
    advice.push(
      `Verify the raw bytes as they arrive, before anything parses or converts them. The signature matches the body ${fit.bodyForm}.`,
    )
  if (fit.secretForm !== AS_GIVEN) advice.push(`Store the secret in the form that matches (${fit.secretForm}).`)
  if (fit.signatureForm !== AS_GIVEN) advice.push(`Pass the signature in the form that matches (${fit.signatureForm}).`)
  if (fit.algorithm !== tried.algorithm)
    advice.push(`The signature uses ${fit.algorithm}, so ${howToSet('hmacAlgorithm', fit.algorithm)}`)
  if (fit.encoding === 'base64url')
    advice.push(
      'Replace “-” by “+” and “_” by “/” to get base64. The signature is in base64url, for which no setting exists.',
    )
  else if (fit.encoding !== tried.encoding)
    advice.push(`The signature is in ${fit.encoding}, so ${howToSet('hmacEncoding', fit.encoding)}`)
  return advice.length > 0
    ? advice.join('\n')
    : 'The signature belongs to this body, but the setting signatureForm or signatureTolerance refuses it. To see the settings, run: bnpl profiles show'
}
