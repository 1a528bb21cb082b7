import { type Define, examples } from '../command.ts'
import { defineDownload } from './download.ts'
import { defineGet } from './get.ts'
import { defineOpen } from './open.ts'

export const define: Define = (command, act) => {
  defineGet(command.command('get'), act)
  defineDownload(command.command('download'), act)
  defineOpen(command.command('open'), act)
  examples(command, [
    ['a report as a file, PreAprobacion_<id>.pdf', 'bnpl informe download 6f1c…'],
    ['the reports of a file with a column preApproveId', 'bnpl informe download --from ids.csv --dir reports'],
    ['a link that is valid for half an hour', 'bnpl informe get 6f1c…'],
  ])
}
