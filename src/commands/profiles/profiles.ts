import { type Define, examples } from '../command.ts'
import { defineAdd } from './add.ts'
import { defineList } from './list.ts'
import { defineRm } from './rm.ts'
import { defineAddSecret, defineRmSecret, defineSetKey } from './secrets.ts'
import { defineSet, defineUnset } from './set.ts'
import { defineShow } from './show.ts'
import { defineUse } from './use.ts'

/** `bnpl profiles`: the accounts this machine knows. */
export const define: Define = (command, act) => {
  defineList(command.command('list').description('every profile, the default one marked'), act)
  defineAdd(command.command('add').description('add an account; on a terminal it asks'), act)
  defineUse(command.command('use').description('make a profile the default'), act)
  defineShow(command.command('show').description('every setting in force, and where it came from'), act)
  defineSet(command.command('set').description('change a setting'), act)
  defineUnset(command.command('unset').description('take a setting back'), act)
  defineSetKey(command.command('set-key').description('store another API key'), act)
  defineAddSecret(command.command('add-secret').description('store a webhook secret beside those there are'), act)
  defineRmSecret(command.command('rm-secret').description('remove a webhook secret, the oldest first'), act)
  defineRm(command.command('rm').description('remove a profile and its key'), act)
  examples(command, [
    ['an account; it asks for what it needs', 'bnpl profiles add shop'],
    ['which settings are in force, and where each came from', 'bnpl profiles show'],
    ['another account for every command from now on', 'bnpl profiles use shop-beta'],
  ])
}
