import { type Define, examples } from '../command.ts'
import { showRecord } from './record.ts'

/** `history show ID`: prints the record of one transaction or report. */
export const defineHistoryShow: Define = (command, act) => {
  command
    .argument('<trx>', 'your transaction id, or the pre-approval id of a report')
    .action(act((context, _, id) => showRecord(context, id)))
  examples(command, [
    ['the pre-approval id, for a script', 'bnpl history show order-1001 --json | jq -r .preApproveId'],
  ])
}
