import { type Define, examples } from '../command.ts'
import { renderGaps } from './gaps.ts'

export const define: Define = (command, act) => {
  const gaps = command.command('gaps').description('what the specification does not show, and what is done about it')
  gaps.action(
    act(async (context) => {
      const { GAPS } = await import('../../contract/gaps.ts')
      await context.output.result(GAPS, () => renderGaps(context, GAPS))
    }),
  )
  examples(gaps, [
    ['read it', 'bnpl contract gaps | less'],
    ['as data', 'bnpl contract gaps --json'],
  ])
  const openapi = command.command('openapi').description('the contract as an OpenAPI 3.1 document')
  openapi.action(
    act(async (context) => {
      const { toOpenApi } = await import('../../contract/openapi.ts')
      const { toJson } = await import('../../terminal/json.ts')
      const document = toOpenApi(context.world.version)
      await context.output.result(document, () => toJson(document, 2))
    }),
  )
  examples(openapi, [['for a generator of clients', 'bnpl contract openapi > openapi.json']])
}
