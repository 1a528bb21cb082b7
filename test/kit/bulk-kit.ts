import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Transport, WireFailure, type WireRequest, type WireResponse } from '../../src/contract/wire.ts'
import type { Machine } from './harness.ts'
import { loan } from './loan.ts'

/** The environment of an account for runs over files. */
export const env = {
  BNPL_API_KEY: 'sk_canary_0123456789',
  BNPL_BASE_URL: 'https://api.example.com',
  BNPL_ENTITY_ID: 'E1',
}

export const answer = (status: number, body: unknown, headers: Record<string, string> = {}): WireResponse => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(body)),
})

export const options = [{ installments: 3, amount: 400, total: 1200 }]

export const form = (request: WireRequest) =>
  Object.fromEntries(new URLSearchParams(new TextDecoder().decode(request.body)))

const trxOf = (request: WireRequest) =>
  form(request).externalTrxId ?? decodeURIComponent(request.url.split('/').at(-2) ?? '')

/** Returns a service that notes the transactions it was asked for. `by` answers them by their id. */
export function service(
  by: (trx: string, nth: number) => WireResponse | WireFailure | Promise<WireResponse> | undefined,
) {
  const asked: string[] = []
  const transport: Transport = async (request) => {
    const trx = trxOf(request)
    asked.push(trx)
    const given = await by(trx, asked.filter((each) => each === trx).length)
    if (given instanceof WireFailure) throw given
    if (given) return given
    return request.url.endsWith('/loan')
      ? answer(200, { data: loan(trx) })
      : answer(200, { data: { preApproveId: `P-${trx}`, installmentOptions: options } })
  }
  return { asked, transport }
}

export function write(m: Machine, name: string, text: string | Uint8Array): string {
  const path = join(m.dir, name)
  writeFileSync(path, text)
  return path
}

export const lines = (text: string) => text.trimEnd().split('\n')
export const rowsOf = (text: string) => lines(text).map((line) => JSON.parse(line))
