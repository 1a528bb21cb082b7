import { AS_GIVEN, bodyForms } from './body-forms.ts'
import { sign } from './signature.ts'
import { HMAC_ALGORITHMS, type HmacAlgorithm } from './signature-settings.ts'

/** The settings, the secret and the forms with which a signature is valid. A form says how a secret, body or signature was changed. */
export interface Fit {
  algorithm: HmacAlgorithm
  encoding: 'hex' | 'base64' | 'base64url'
  /** The position of the secret in the list that `diagnose` was given, counted from 1. */
  secret: number
  secretForm: string
  bodyForm: string
  signatureForm: string
}

/**
 * Finds out why a signature is wrong, by trying every algorithm and encoding with changed forms of the secrets, the body and the signature.
 * @returns the combinations with which the signature is valid, the most likely first
 */
export function diagnose(signature: string, body: Uint8Array, secrets: readonly string[]): Fit[] {
  const readings = readSignature(signature)
  const fits: Fit[] = []
  for (const [bodyForm, bytes] of bodyForms(body))
    for (const [index, given] of secrets.entries())
      for (const [secretForm, secret] of secretForms(given))
        for (const algorithm of HMAC_ALGORITHMS) {
          const digest = sign(bytes, secret, { algorithm, encoding: 'hex' })
          for (const reading of readings) {
            if (reading.hex !== digest) continue
            const { encoding, signatureForm } = reading
            fits.push({ algorithm, encoding, secret: index + 1, secretForm, bodyForm, signatureForm })
          }
        }
  return fits
}

interface Reading {
  hex: string
  encoding: Fit['encoding']
  signatureForm: string
}

function readSignature(signature: string): Reading[] {
  const forms: [form: string, text: string][] = [[AS_GIVEN, signature]]
  const trimmed = signature.trim()
  if (trimmed !== signature) forms.push(['without the white space around it', trimmed])
  for (const part of trimmed.split(',')) {
    const text = part.trim()
    if (text !== trimmed) forms.push(['one of several signatures that are joined by commas', text])
    const prefix = /^[A-Za-z0-9_-]{1,16}=(?=[^=])/.exec(text)?.[0]
    if (prefix) forms.push([`without its prefix ${prefix}`, text.slice(prefix.length)])
  }
  return forms.flatMap(([signatureForm, text]) => {
    const readings: Reading[] = []
    if (/^([0-9a-f]{2})+$/i.test(text)) readings.push({ hex: text.toLowerCase(), encoding: 'hex', signatureForm })
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(text))
      readings.push({ hex: hexOf(text, 'base64'), encoding: 'base64', signatureForm })
    else if (/^[A-Za-z0-9_-]+={0,2}$/.test(text))
      readings.push({ hex: hexOf(text, 'base64url'), encoding: 'base64url', signatureForm })
    return readings
  })
}

const hexOf = (text: string, encoding: 'base64' | 'base64url') => Buffer.from(text, encoding).toString('hex')

function secretForms(secret: string): [form: string, secret: string | Uint8Array][] {
  const forms: [string, string | Uint8Array][] = [[AS_GIVEN, secret]]
  if (secret.trim() !== secret) forms.push(['without the white space around it', secret.trim()])
  else forms.push(['with a line feed at its end', `${secret}\n`])
  const unquoted = /^(["'])(.*)\1$/.exec(secret)?.[2]
  if (unquoted !== undefined) forms.push(['without its quotes', unquoted])
  if (/^([0-9a-f]{2})+$/i.test(secret)) forms.push(['decoded from hex', Buffer.from(secret, 'hex')])
  const prefixed = /^[a-z]{2,8}_(.+)$/.exec(secret)?.[1]
  for (const text of [secret, prefixed]) {
    if (text && /^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
      forms.push([
        text === secret ? 'decoded from base64' : 'decoded from base64, without its prefix',
        Buffer.from(text, 'base64'),
      ])
    }
  }
  return forms
}
