import type { ApiClient } from '../client/client.ts'

/**
 * The client, whose errors then say what to do next in the words of the command line. Here, before any command takes them: some are
 * written into the rows of a file or shown as checks, and never reach the end of the program.
 */
export function advised(client: ApiClient): ApiClient {
  return {
    ...client,
    call: (name, input) => client.call(name, input).catch(rethrow),
    probe: (name, input) => client.probe(name, input).catch(rethrow),
    async raw(request) {
      const answer = await client.raw(request).catch(rethrow)
      return { ...answer, failure: await inCommandWords(answer.failure) }
    },
  }
}

async function rethrow(error: unknown): Promise<never> {
  throw await inCommandWords(error)
}

async function inCommandWords<Thrown>(thrown: Thrown) {
  const advice = await import('../commands/advice.ts')
  return advice.inCommandWords(thrown)
}
