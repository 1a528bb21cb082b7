import type { Define } from '../command.ts'
import { defineDownload } from './download.ts'
import { defineGet } from './get.ts'
import { defineOpen } from './open.ts'

export const define: Define = (command, act) => {
  defineGet(command.command('get'), act)
  defineDownload(command.command('download'), act)
  defineOpen(command.command('open'), act)
}
