import { ENDPOINT_NAMES, type EndpointName, endpointOf, type OwnPaths } from '../../../contract/endpoints.ts'
import type { CallManner } from '../../../contract/manner.ts'
import type { WireFault, WireRequest, WireResponse } from '../../../contract/wire.ts'
import { WINDOW_KEY_HEADER } from '../entrance.ts'
import { CutAnswer } from '../faults.ts'
import type { Service } from '../service.ts'
import { inMannerOf } from './answer.ts'
import { hasNumberedIds, withOwnIds } from './numbered-ids.ts'

/** How the partner interface imitates the service of recordings. */
export interface Following {
  /** The paths of the service where the specification shows none (gap 14). */
  paths: OwnPaths
  /** Changes a request that a client sends as it would to the service: ids become the sandbox's own. */
  inward(request: WireRequest): Promise<WireRequest>
  /** How long a call takes to answer, in ms. */
  latency(name: EndpointName): number
  /** Changes the sandbox's own answer to a call into what the service would write. */
  outward<Answer extends WireResponse | WireFault>(name: EndpointName, answer: Answer): WireResponse | WireFault
}

/** Imitates the service of recordings. @returns undefined for a sandbox that uses its own conventions */
export function createFollowing({
  like,
  store,
  random,
}: Pick<Service, 'like' | 'store' | 'random'>): Following | undefined {
  if (like === undefined) return undefined
  const { manner } = like
  const isNumbered = hasNumberedIds(manner)
  return {
    paths: pathsOf(manner.calls),
    inward: async (request) => (isNumbered ? withOwnIds(store.db, request) : request),
    latency: (name) => latencyOf(manner.calls[name] ?? {}, random()),
    outward(name, answer) {
      const call = manner.calls[name]
      if (call === undefined) return answer
      if (answer instanceof CutAnswer) return new CutAnswer(inMannerOf(call, answer.response), answer.bytes)
      return answer instanceof Error ? answer : inMannerOf(call, answer)
    },
  }
}

/** Whether a request comes from the sandbox's window. The window gets the sandbox's own form of answers, never that of a recorded service (`--like`). */
export function isOfWindow({ entrance }: Pick<Service, 'entrance'>, { headers }: WireRequest): boolean {
  const key = headers[WINDOW_KEY_HEADER]
  return key !== undefined && entrance.isInside(key)
}

function pathsOf(calls: NonNullable<Service['like']>['manner']['calls']): OwnPaths {
  return Object.fromEntries(
    ENDPOINT_NAMES.flatMap((name) => {
      const { pathSetting } = endpointOf(name)
      const path = calls[name]?.path
      return pathSetting === undefined || path === undefined ? [] : [[pathSetting, path]]
    }),
  )
}

/**
 * How long a call takes to answer, in ms. Half of all calls take the median of the recorded times. The others take longer, up to the
 * longest recorded time.
 * @param chance from 0 to 1
 */
export function latencyOf({ ms }: Pick<CallManner, 'ms'>, chance: number): number {
  if (ms === undefined) return 0
  const { middle, longest } = ms
  const beyond = Math.max(0, 2 * chance - 1) ** 4
  return Math.round(middle + Math.max(0, longest - middle) * beyond)
}
