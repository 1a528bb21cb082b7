import { profileOf } from '../../domain/sandbox-accounts.ts'
import type { TestCustomer } from '../../sandbox/records/customers.ts'
import type { SandboxPartner } from '../../sandbox/store/partners.ts'
import type { Output } from '../../terminal/output.ts'
import type { Style } from '../../terminal/style.ts'
import { renderFields } from '../../terminal/table.ts'
import { wrap } from '../../terminal/wrap.ts'
import { stateWords } from './drive.ts'
import { sandboxEnvironment } from './environment.ts'

interface Served {
  baseUrl: string
  paymentUrl: string
  production: { baseUrl: string }
  /** Lets one browser into the window, once. */
  windowLink: string
  dataFile: string | null
  database: string | null
  partners: readonly SandboxPartner[]
  customers: readonly TestCustomer[]
}

/** What a person needs to use a sandbox that was just started. Its keys open only this sandbox and are meant to be shown. */
export async function renderWelcome(served: Served, output: Pick<Output, 'style' | 'width'>): Promise<string> {
  const { style } = output
  const inside = { style, width: output.width - INDENT.length }
  const { baseUrl, paymentUrl, production, windowLink, partners, customers } = served
  const addresses: [string, string][] = [
    ['Payment page', paymentUrl],
    ['Production', `${production.baseUrl} (its keys: --json)`],
    ['Window', windowLink],
    ['State', stateWords(served)],
  ]
  const exported = Object.entries(sandboxEnvironment(served)).map(([name, value]) => `export ${name}=${value}`)
  const accounts = await Promise.all(
    partners.map(async (partner) => ['', partnerTitle(partner, style), indent(await partnerKeys(partner, inside))]),
  )
  return [
    `${style.green('✓')} ${style.bold(`The sandbox answers at ${baseUrl}`)}`,
    '',
    indent(await renderFields(addresses, inside)),
    ...accounts.flat(),
    '',
    style.bold('Test customers'),
    indent(renderCustomers(customers, inside)),
    '',
    style.bold('Use it'),
    indent(`bnpl evaluate -p sandbox --rut ${customers[0]?.rut} --amount 250000`),
    '',
    style.bold('or from your own program'),
    indent(exported.join('\n')),
    '',
  ].join('\n')
}

/** A line for each customer whose national id decides. */
export function renderCustomers(
  customers: readonly TestCustomer[],
  { style, width }: Pick<Output, 'style' | 'width'>,
): string {
  return customers
    .map(({ rut, does }) => {
      const indent = rut.length + 2
      return `${rut}  ${style.dim(wrap(does, width - indent, ' '.repeat(indent)))}`
    })
    .join('\n')
}

function partnerTitle(partner: SandboxPartner, style: Style): string {
  const { name, product, active, evaluationModule } = partner
  const traits: string[] = [product]
  if (!active) traits.push('inactive')
  else if (product === 'real-estate') traits.push(evaluationModule ? 'evaluation module' : 'no evaluation module')
  return `${style.bold(name)}  -p ${profileOf(partner)}  ${style.dim(traits.join(', '))}`
}

function partnerKeys(
  { apiKey, publicKey, entityId }: SandboxPartner,
  inside: Pick<Output, 'style' | 'width'>,
): Promise<string> {
  const fields: [string, string][] = [
    ['API key', apiKey],
    ['Public key', publicKey],
    ['Entity id', entityId],
  ]
  return renderFields(fields, inside)
}

const INDENT = '  '

const indent = (text: string) => text.replace(/^(?=.)/gm, INDENT)
