import type { ApiClient } from '../client/client.ts'
import {
  endpointOf,
  hasFields,
  KEYED_ENDPOINTS,
  type KeyedEndpoint,
  type PathParams,
  type RequestBody,
  type ResponseData,
} from '../contract/endpoints.ts'
import { rawNumbersAsText } from '../text/json-text.ts'

type Ids<Params extends readonly object[]> = { readonly [Position in keyof Params]: string }

type Fields<Body> = Body extends Record<string, never> ? [] : [body: Body]

type Methods<Options> = {
  [N in KeyedEndpoint]: (
    ...given: [...Ids<PathParams<N>>, ...Fields<RequestBody<N>>, options?: Options]
  ) => Promise<ResponseData<N>>
}

/**
 * Returns a method for each call of the contract that needs a key. The arguments of a method are the parameters of the path, then the body
 * if it has fields, then the options. The method returns the answer's `data`.
 * @param clientFor makes a client with the options of one call
 */
export function methodsOf<Options>(clientFor: (options?: Options) => ApiClient): Methods<Options> {
  const method = (name: KeyedEndpoint) => {
    const endpoint = endpointOf(name)
    const { params } = endpoint
    const takesBody = hasFields(endpoint)
    return async (...given: readonly unknown[]) => {
      const ids = Object.fromEntries(params.map(({ name }, i) => [name, given[i]]))
      const rest = given.slice(params.length)
      const body = takesBody ? rest.shift() : {}
      // `as never`, because TypeScript cannot find the type of the arguments: the name is known only at run time.
      const { data } = await clientFor(rest[0] as Options).call(name, { params: ids, body } as never)
      return rawNumbersAsText(data)
    }
  }
  return Object.fromEntries(KEYED_ENDPOINTS.map((name) => [name, method(name)])) as never
}
