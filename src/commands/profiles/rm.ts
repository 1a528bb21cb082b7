import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { type Define, examples } from '../command.ts'
import { agree, refuseDryRun } from '../global-options.ts'
import { storedProfile } from './change.ts'
import { forgetKey } from './stored-key.ts'

/** `profiles rm NAME`: removes a profile with its key and secrets. */
export const defineProfilesRm: Define = (command, act) => {
  command
    .argument('<name>', 'name of the profile')
    .option('--if-exists', 'succeed if the profile does not exist')
    .action(
      act(async (context, options, name) => {
        refuseDryRun(context)
        const store = await context.profiles()
        const known = (await store.read()).profiles
        if (options.ifExists && !Object.hasOwn(known, name) && sandboxTraits(name) === undefined) {
          await context.output.result({ name, deleted: false }, () => '')
          return context.output.note(`There is no profile ${name} on this machine.`)
        }
        const { profile } = storedProfile(context, name, await store.read())
        await agree(context, `Remove the profile ${name} with its key from this machine?`)
        let wasDefault = false
        await store.update((before) => {
          storedProfile(context, name, before)
          const { [name]: _removed, ...profiles } = before.profiles
          const { default: chosen, ...rest } = before
          wasDefault = chosen === name
          return { ...rest, ...(chosen === undefined || wasDefault ? {} : { default: chosen }), profiles }
        })
        await forgetKey(context, profile)
        await context.output.result({ name, deleted: true }, () => '')
        context.output.note(
          `${name} is removed.${wasDefault ? ' It was the default. Choose another default: bnpl profiles use NAME' : ''}`,
        )
      }),
    )
  examples(command, [['remove a profile without being asked', 'bnpl profiles rm acme --yes']])
}
