import { type Define, examples } from '../command.ts'
import { defineAdd } from './add.ts'
import { defineProfilesList } from './list.ts'
import { defineProfilesRm } from './rm.ts'
import { defineAddSecret, defineRmSecret, defineSetKey } from './secrets.ts'
import { defineSet, defineUnset } from './set.ts'
import { defineProfilesShow } from './show.ts'
import { defineUse } from './use.ts'

/** `bnpl profiles`: the accounts that are stored on this machine. */
export const define: Define = (command, act) => {
  defineProfilesList(command.command('list').description('list every profile, with a mark at the default one'), act)
  defineAdd(command.command('add').description('add an account, with options or with questions on a terminal'), act)
  defineUse(command.command('use').description('make a profile the default'), act)
  defineProfilesShow(
    command.command('show').alias('get').description('show every setting in use, and where it comes from'),
    act,
  )
  defineSet(command.command('set').description('change a setting'), act)
  defineUnset(command.command('unset').description('remove a setting'), act)
  defineSetKey(command.command('set-key').description('replace the API key'), act)
  defineAddSecret(
    command.command('add-secret').description('add a webhook secret; the earlier secrets stay valid'),
    act,
  )
  defineRmSecret(command.command('rm-secret').description('remove a webhook secret (default: the oldest one)'), act)
  defineProfilesRm(command.command('rm').description('remove a profile and its key'), act)
  examples(command, [
    ['add an account, answering questions', 'bnpl profiles add shop'],
    ['show the settings in use and their sources', 'bnpl profiles show'],
    ['make another account the default', 'bnpl profiles use shop-beta'],
  ])
}
