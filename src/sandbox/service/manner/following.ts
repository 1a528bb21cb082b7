import { ENDPOINT_NAMES, type EndpointName, endpointOf, type OwnPaths } from '../../../contract/endpoints.ts'
import type { CallManner } from '../../../contract/manner.ts'
import type { WireFault, WireRequest, WireResponse } from '../../../contract/wire.ts'
import { WINDOW_KEY_HEADER } from '../entrance.ts'
import { CutAnswer } from '../faults.ts'
import type { Service } from '../service.ts'
import { inMannerOf } from './answer.ts'
import { hasNumberedIds, withOwnIds } from './numbered-ids.ts'

export interface Following {
  /** The paths that the imitated service uses where the specification shows no path (gap 14). */
  paths: OwnPaths
  /** Returns a request in which the numbers that represent ids are replaced by the sandbox's own ids. */
  inward(request: WireRequest): Promise<WireRequest>
  /** Returns the time between a call and its answer, in ms. */
  latency(name: EndpointName): number
  outward<Answer extends WireResponse | WireFault>(name: EndpointName, answer: Answer): WireResponse | WireFault
}

/** Returns functions that imitate a service that was recorded; undefined if the sandbox uses its own conventions. */
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

/** Returns whether a request comes from the sandbox's window. The window always gets answers in the sandbox's own form. */
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
 * Returns the time between a call and its answer, in ms. Half of all calls take the median of the recorded times. The other calls take
 * longer, up to the longest recorded time.
 * @param chance from 0 to 1
 */
export function latencyOf({ ms }: Pick<CallManner, 'ms'>, chance: number): number {
  if (ms === undefined) return 0
  const { middle, longest } = ms
  const beyond = Math.max(0, 2 * chance - 1) ** 4
  return Math.round(middle + Math.max(0, longest - middle) * beyond)
}
