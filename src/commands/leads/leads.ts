import { type Define, examples } from '../command.ts'
import { defineGet } from './get.ts'
import { defineList } from './list.ts'

export const define: Define = (command, act) => {
  defineList(command.command('list'), act)
  defineGet(command.command('get'), act)
  examples(command, [
    ['leads of the sandbox', 'bnpl leads list -p sandbox:real-estate'],
    ['the details of one lead', 'bnpl leads get 01a1fd31…'],
  ])
}
