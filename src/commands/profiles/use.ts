import { type Define, examples } from '../command.ts'
import { refuseDryRun } from '../global-options.ts'
import { rowOf } from './row.ts'

/** `profiles use NAME`: makes a profile, or the sandbox, the default one. */
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
      context.output.note(`${name} is the default profile now.`)
      const variable = context.world.env.BNPL_PROFILE
      if (variable && variable !== name) {
        context.output.warn(`BNPL_PROFILE is set to ${variable} and goes before the default.`)
      }
    }),
  )
  examples(command, [
    ['from now on, without -p', 'bnpl profiles use acme'],
    ['practise on the sandbox of this machine', 'bnpl profiles use sandbox'],
  ])
}
