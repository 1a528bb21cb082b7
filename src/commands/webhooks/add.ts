import { type Define, examples } from '../command.ts'
import { nextCommand } from '../global-options.ts'
import { addressAmong, readDestinationUrl } from './destinations.ts'
import { register } from './registration.ts'

export const define: Define = (command, act) => {
  command
    .argument('[url]', 'https address that will receive loan_approved')
    .option('--if-missing', 'do nothing if the address is already registered')
    .option('--save-secret', 'store the secret in the profile and do not show it')
    .option(
      '--event <event...>',
      'is ignored with a warning, because this registration is always for loan_approved (for other events: `bnpl webhooks subscribe`)',
    )
    .option('--filter <key=value...>', 'is ignored with a warning, because this registration has no filters')
    .action(
      act(async (context, options, text) => {
        const url = await readDestinationUrl(context, await addressAmong(context, text, options.event, options.filter))
        const ignored = [options.event && '--event', options.filter && '--filter'].filter(
          (option) => option !== undefined,
        )
        if (ignored.length > 0) {
          context.output.warn(
            `${ignored.join(' and ')} ${ignored.length === 1 ? 'is' : 'are'} not sent, because the service ignores events and filters in this registration and reports no error. This destination gets every loan_approved and nothing else. For new_lead and pre_approve, run: ${nextCommand(context, 'bnpl webhooks subscribe', [url], ['--event …'])}`,
          )
        }
        const send: Parameters<typeof register>[2]['send'] = async (api) =>
          (await api.call('registerWebhook', { params: {}, body: { url } })).data
        await register(context, options, { url, scheme: 'hmac', send })
      }),
    )
  examples(command, [
    [
      'in a deployment script that runs often',
      'bnpl webhooks add https://shop.example/webhooks --if-missing --save-secret',
    ],
  ])
}
