import { type Define, examples } from '../command.ts'
import { renderCustomers } from './welcome.ts'

export const define: Define = (command, act) => {
  command.action(
    act(async ({ output }) => {
      const { TEST_CUSTOMERS } = await import('../../sandbox/records/customers.ts')
      await output.result(TEST_CUSTOMERS, () => renderCustomers(TEST_CUSTOMERS, output))
      output.note('Every other valid national id is approved.')
    }),
  )
  examples(command, [['national ids for your tests', 'bnpl sandbox customers --json']])
}
