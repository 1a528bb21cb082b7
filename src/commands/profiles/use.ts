import { type Define, examples } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { rowOf } from './row.ts'

/** `profiles use NAME`: makes a profile (or the sandbox) the default. */
export const defineUse: Define = (command, act) => {
  command.argument('<name>', 'the profile, or sandbox').action(
    act(async (context, _, name) => {
      refuseDryRun(context)
      const store = await context.profiles()
      const file = await store.update((before) => {
        rowOf(name, before)
        return { ...before, default: name }
      })
      await context.output.result(rowOf(name, file), () => '')
      context.output.note(`${name} is now the default profile.`)
      const variable = context.world.env.BNPL_PROFILE
      if (variable && variable !== name) {
        context.output.warn(`BNPL_PROFILE is set to ${variable} and overrides the default.`)
      }
    }),
  )
  examples(command, [
    ['make a profile the default, so that -p is not needed', 'bnpl profiles use acme'],
    ['practise on the sandbox of this machine', 'bnpl profiles use sandbox'],
  ])
}
