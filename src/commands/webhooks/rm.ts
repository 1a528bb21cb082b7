import type { ApiClient } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { destinationsAt } from '../../domain/destination.ts'
import { BnplError, usage } from '../../errors.ts'
import { showEach } from '../../terminal/output.ts'
import { visible } from '../../text/visible.ts'
import { type Define, examples, repeatable } from '../command.ts'
import { dryRunOfMany, nextCommand, noteOtherRequests } from '../global-options.ts'
import { ask, readIdentifier } from '../option-values.ts'
import { idOf, type ListedDestination, listDestinations } from './destinations.ts'

interface Deletion {
  id: string
  deleted: boolean
}

export const define: Define = (command, act) => {
  command
    .argument('[id...]', 'ids of destinations')
    .option('--url <url>', 'delete every destination at this address; repeatable', repeatable)
    .option('--if-exists', 'succeed if a destination does not exist')
    .action(
      act(async (context, options, given) => {
        const named = given.map((id) => readIdentifier('ID', id))
        if (named.length === 0 && !options.url) {
          if (!context.options.input)
            throw usage(
              'no destination is named',
              `Give the id of a destination, or its address with --url. List the destinations with: ${nextCommand(context, 'bnpl webhooks list')}`,
            )
          named.push(await ask(context, 'destination', (text) => readIdentifier('this', text)))
        }
        const api = await context.api()
        const urls = options.url ?? []
        if (context.options.dryRun) {
          if (urls.length > 0) noteOtherRequests(context)
          const calls = [
            ...(urls.length > 0 ? [() => listDestinations(api)] : []),
            ...[...new Set(named)].map((id) => () => api.call('deleteWebhook', { params: { id }, body: {} })),
          ]
          return dryRunOfMany<() => Promise<unknown>>(calls, (call) => call())
        }
        const found = await destinationsOf(context, api, urls, options.ifExists === true)
        const ids = [...new Set([...named, ...found.map(idOf)])]
        context.change = deletionInWords(ids, found)
        const { inLanguage } = context.output
        const line = ({ id, deleted }: Deletion) =>
          `${visible(id)}  ${inLanguage(deleted ? 'deleted' : 'the service has no such destination')}`
        const deletions = await showEach(deleteEach(api, ids, options.ifExists === true), (done) =>
          context.output.result(done, () => inLanguage.keep(done.map(line).join('\n'))),
        )
        const deleted = deletions.filter((each) => each.deleted).length
        if (deleted === 0) return context.output.note('There was no destination to delete.')
        context.output.note(
          `The account can now register ${deleted === 1 ? 'another destination' : 'other destinations'} instead.`,
        )
      }),
    )
  examples(command, [
    ['every destination at an address', 'bnpl webhooks rm --url https://shop.example/webhooks'],
    ['in a script that may run twice', 'bnpl webhooks rm --url https://shop.example/webhooks --if-exists --yes'],
  ])
}

/** Returns what the user of a production profile must confirm. The text names each destination, with its address if that is known. */
function deletionInWords(ids: readonly string[], found: readonly ListedDestination[]): string {
  const names = ids.map((id) => {
    const url = found.find((each) => idOf(each) === id)?.url
    return visible(url === undefined ? id : `${id} (${url})`)
  })
  return ids.length === 1
    ? `delete the webhook destination ${names.join()}`
    : `delete ${ids.length} webhook destinations: ${names.join(', ')}`
}

async function destinationsOf(
  context: Context,
  api: ApiClient,
  urls: readonly string[],
  ifExists: boolean,
): Promise<ListedDestination[]> {
  if (urls.length === 0) return []
  const all = await listDestinations(api)
  return urls.flatMap((url) => {
    const found = destinationsAt(all, url)
    if (found.length > 0 || ifExists) return found
    throw new BnplError('not-found', `no destination has the address ${url}`, {
      code: 'NO_SUCH_DESTINATION',
      hint: `List the destinations with: ${nextCommand(context, 'bnpl webhooks list')}`,
    })
  })
}

/**
 * Deletes each destination. If one does not exist, deletes the rest, then throws the first such error; with `ifExists` this is not an error.
 * After any other error it deletes nothing more.
 */
async function* deleteEach(api: ApiClient, ids: readonly string[], ifExists: boolean): AsyncGenerator<Deletion> {
  let missing: BnplError | undefined
  for (const id of ids) {
    const gone = await api.call('deleteWebhook', { params: { id }, body: {} }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof BnplError && error.kind === 'not-found') return error
        throw error
      },
    )
    if (!ifExists) missing ??= gone
    if (missing !== undefined && ids.length === 1) throw missing
    yield { id, deleted: gone === undefined }
  }
  if (missing !== undefined) throw missing
}
