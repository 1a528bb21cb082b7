import { createHash, timingSafeEqual } from 'node:crypto'
import type { WireRequest, WireResponse } from '../../contract/wire.ts'
import { CONTROL_PREFIX, CONTROL_TOKEN_HEADER } from './control-access.ts'
import { proofOf } from './control-proof.ts'
import { CONTROLS } from './controls/controls.ts'
import type { Caller } from './delay.ts'
import { readJsonInput } from './json-input.ts'
import { json, malformed, Refusal } from './refusal.ts'
import type { Service } from './service.ts'

/** Answers a control call with `{data}`. Throws a `Refusal`: 401 without the right token, 404 for an action it does not know. */
export async function answerControl(
  request: WireRequest,
  { service, controlToken }: { service: Service; controlToken: string },
): Promise<WireResponse> {
  const action = new URL(request.url).pathname.slice(CONTROL_PREFIX.length + 1)
  if (action === 'hello') return hello(request, controlToken)
  if (!sameText(request.headers[CONTROL_TOKEN_HEADER] ?? '', controlToken)) {
    throw new Refusal(401, 'ERR_CONTROL_TOKEN', `${CONTROL_TOKEN_HEADER} is missing or wrong`)
  }
  onlyPost(request)
  return json(200, { data: await runControl(action, readJsonInput(request.body), service, request) })
}

/** `hello {nonce}`, from anybody: proves to a caller who knows the token that this sandbox does too, and needs none of its state. */
function hello(request: WireRequest, controlToken: string): WireResponse {
  onlyPost(request)
  const { nonce } = readJsonInput(request.body)
  if (typeof nonce !== 'string' || !/^[\w-]{16,100}$/.test(nonce)) throw malformed('nonce is missing')
  return json(200, { data: { proof: proofOf(controlToken, new URL(request.url).origin, nonce) } })
}

function onlyPost({ method }: WireRequest): void {
  if (method === 'POST') return
  throw new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', 'control actions are sent with POST', { allow: 'POST' })
}

/** Does what a control action is for. Throws a 404 `Refusal` for one that does not exist. */
export async function runControl(
  action: string,
  input: Record<string, unknown>,
  service: Service,
  caller: Caller,
): Promise<unknown> {
  const control = Object.hasOwn(CONTROLS, action) ? CONTROLS[action as keyof typeof CONTROLS] : undefined
  if (control === undefined) {
    throw new Refusal(404, 'ERR_NO_SUCH_ACTION', `no such action; there are: ${Object.keys(CONTROLS).join(', ')}`)
  }
  return control(input, service, caller)
}

/** Compares in constant time, whatever the lengths. */
function sameText(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}
