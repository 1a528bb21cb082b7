import type { Probed } from '../client/client.ts'
import type { Context } from '../context.ts'
import type { EndpointName, ResponseData } from '../contract/endpoints.ts'
import { toJson } from '../text/visible.ts'

/**
 * Prints the answer to a read request. An answer of an unknown shape is printed as it was sent, with a warning.
 * Throws `service` for a list whose rows differ from the specification.
 * @param table returns the data as text for people
 * @returns the data; undefined if its shape is not known
 */
export async function showAnswer<N extends EndpointName>(
  context: Context,
  answer: Probed<N>,
  table: (data: ResponseData<N>) => string | Promise<string>,
): Promise<ResponseData<N> | undefined> {
  if (!answer.known && Array.isArray(answer.data)) throw answer.failure
  if (answer.odd !== undefined) context.output.warn(answer.odd)
  if (answer.known) {
    const { data } = answer
    await context.output.result(data, () => table(data))
    return data
  }
  context.output.warn('The answer is shown as it was sent.')
  await context.output.result(answer.data, () => toJson(answer.data, 2))
  return undefined
}
