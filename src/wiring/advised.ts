import type { ApiClient } from '../client/client.ts'

/**
 * Returns a client whose errors contain hints worded for the command line. The hints are replaced here and not where errors are printed,
 * because some errors are written into a file of results instead.
 * @param profile the name given with `-p`
 */
export function advised(client: ApiClient, profile: string | undefined): ApiClient {
  const words = () => import('../commands/advice.ts')
  const rethrow = async (error: unknown): Promise<never> => {
    throw (await words()).inCommandWords(error, profile)
  }
  return {
    ...client,
    call: (name, input) => client.call(name, input).catch(rethrow),
    probe: (name, input) => client.probe(name, input).catch(rethrow),
    async raw(request) {
      const answer = await client.raw(request).catch(rethrow)
      return { ...answer, failure: (await words()).failureInWords(answer.failure, profile) }
    },
  }
}
