import { expect, test } from 'vitest'
import { contextOf, machineOfTest } from '../../test/kit/command-context.ts'
import type { GlobalOptions } from '../context.ts'
import { refuseDebugTraces, refuseUncheckedTls } from './service.ts'

const BASE = 'https://api.example.com'

/** @param environment the environment of the profile; undefined for no profile */
function place(env: Record<string, string>, options: Partial<GlobalOptions> = {}, environment?: string) {
  const m = machineOfTest(environment === undefined ? {} : { acme: { environment, baseUrl: BASE } })
  const { world, stderr } = m.world({ env })
  return { world, stderr, context: contextOf(world, options) }
}

test('with NODE_TLS_REJECT_UNAUTHORIZED=0 only a service on this machine is called', () => {
  const unchecked = (baseUrl?: string) => () =>
    refuseUncheckedTls(
      place({ NODE_TLS_REJECT_UNAUTHORIZED: '0', ...(baseUrl === undefined ? {} : { BNPL_BASE_URL: baseUrl }) }).world,
    )
  expect(unchecked('https://127.0.0.1:4555')).not.toThrow()
  expect(unchecked('https://localhost')).not.toThrow()
  for (const baseUrl of ['https://api.example.com', 'https://127.0.0.1.evil.example', 'no address', undefined])
    expect(unchecked(baseUrl)).toThrow(
      expect.objectContaining({
        code: 'TLS_UNCHECKED',
        message: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0'),
        hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      }),
    )
})

test('NODE_TLS_REJECT_UNAUTHORIZED with another value than 0 is accepted, because certificates are checked', () => {
  for (const value of ['1', '', 'false'])
    expect(() =>
      refuseUncheckedTls(place({ NODE_TLS_REJECT_UNAUTHORIZED: value, BNPL_BASE_URL: 'https://a.example' }).world),
    ).not.toThrow()
})

const TRACED = { NODE_DEBUG: 'http' }

test('traces of Node are refused on a real account, and the hint names --verbose', async () => {
  for (const { context } of [place(TRACED, {}, 'production'), place({ ...TRACED, BNPL_BASE_URL: BASE }), place(TRACED)])
    await expect(refuseDebugTraces(context)).rejects.toMatchObject({
      code: 'DEBUG_TRACES',
      message: expect.stringContaining('NODE_DEBUG=http'),
      hint: expect.stringContaining('--verbose'),
    })
})

test('traces of a test account, the sandbox or a service on this machine are warned about', async () => {
  for (const { context, stderr } of [
    place(TRACED, {}, 'beta'),
    place({ ...TRACED, BNPL_BASE_URL: 'http://127.0.0.1:4555' }),
    place(TRACED, { profile: 'sandbox' }),
  ]) {
    await refuseDebugTraces(context)
    expect(stderr()).toContain('Do not share that output')
  }
})

test('a value of NODE_DEBUG that prints no traffic needs no warning', async () => {
  const { context, stderr } = place({ NODE_DEBUG: 'fs' }, {}, 'production')
  await refuseDebugTraces(context)
  expect(stderr()).toBe('')
})
