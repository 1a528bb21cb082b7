import type { World } from '../../context.ts'
import { profileOf } from '../../domain/sandbox-accounts.ts'
import type { TestCustomer } from '../../sandbox/records/customers.ts'
import type { SandboxPartner } from '../../sandbox/store/partners.ts'
import type { Output } from '../../terminal/output.ts'
import { renderFields } from '../../terminal/table.ts'
import { wrap } from '../../terminal/wrap.ts'
import { isPowerShell, setVariable } from '../../text/shell-word.ts'
import { stateWords } from '../global-options.ts'
import { sandboxEnvironment } from './serve-here.ts'

interface Served {
  baseUrl: string
  paymentUrl: string
  production: { baseUrl: string }
  /** The link that opens the window. It works only one time. */
  windowLink: string
  dataFile: string | null
  partners: readonly SandboxPartner[]
  customers: readonly TestCustomer[]
  /** Whether `-p sandbox` uses this sandbox. False if another sandbox was already running with this state folder. */
  isFound: boolean
}

/**
 * Returns the text about a new sandbox. The address is last, because a terminal always shows the last lines. The
 * keys are shown, because they are valid only in this sandbox.
 */
export async function renderWelcome(
  served: Served,
  output: Pick<Output, 'style' | 'width' | 'inLanguage'>,
  world: Pick<World, 'env' | 'runtime'>,
): Promise<string> {
  const { style } = output
  const { baseUrl, paymentUrl, production, windowLink } = served
  const exported = Object.entries(sandboxEnvironment(served)).map(([name, value]) =>
    setVariable(name, value, isPowerShell(world.runtime.platform, world.env)),
  )
  const fields: [string, string][] = [['State', stateWords(served)], ...nextSteps(served, output.inLanguage)]
  const addresses: [string, string][] = [
    ['Payment page', paymentUrl],
    ['Production', `${production.baseUrl}${served.isFound ? '' : ' (--json shows its keys)'}`],
    ['Window', windowLink],
  ]
  return [
    await renderFields(fields, output),
    '',
    style.bold('For your own program'),
    exported.join('\n'),
    '',
    await renderFields(addresses, output),
    `${style.green('✓')} ${style.bold(`The sandbox answers at ${baseUrl}`)}`,
    '',
  ].join('\n')
}

function nextSteps({ customers, isFound }: Served, inLanguage: (text: string) => string): [string, string][] {
  const evaluate = (profile: string) => `bnpl evaluate ${profile}--rut ${customers[0]?.rut} --amount 250000`
  const known: [string, string] = ['Customers', 'bnpl sandbox customers']
  if (!isFound) return [known, ['Try it', `${evaluate('')} (after running the lines below)`]]
  return [
    ['All accounts', `bnpl sandbox status --keys (${inLanguage('add --json for the production keys')})`],
    known,
    ['Try it', evaluate('-p sandbox ')],
    ['Webhooks', 'bnpl webhooks listen -p sandbox --forward-to URL'],
  ]
}

/** Returns the accounts with their keys as text for people. */
export async function renderAccounts(
  partners: readonly SandboxPartner[],
  output: Pick<Output, 'style' | 'width' | 'inLanguage'>,
): Promise<string> {
  const inside = { ...output, width: output.width - INDENT.length }
  const blocks = partners.map(
    async (partner) => `${partnerTitle(partner, output)}\n${indent(await partnerKeys(partner, inside))}`,
  )
  return (await Promise.all(blocks)).join('\n\n')
}

/** Returns each test customer's national id, with the effect of this id in the sandbox. */
export function renderCustomers(
  customers: readonly TestCustomer[],
  { style, width, inLanguage }: Pick<Output, 'style' | 'width' | 'inLanguage'>,
): string {
  return customers
    .map(({ rut, does }) => {
      const indent = rut.length + 2
      return `${rut}  ${style.dim(wrap(inLanguage(does), width - indent, ' '.repeat(indent)))}`
    })
    .join('\n')
}

function partnerTitle(partner: SandboxPartner, { style, inLanguage }: Pick<Output, 'style' | 'inLanguage'>): string {
  const { name, product, active, evaluationModule } = partner
  const traits: string[] = [product]
  if (!active) traits.push('inactive')
  else if (product === 'real-estate') traits.push(evaluationModule ? 'evaluation module' : 'no evaluation module')
  return `${style.bold(name)}  -p ${profileOf(partner)}  ${style.dim(traits.map(inLanguage).join(', '))}`
}

function partnerKeys(
  { apiKey, publicKey, entityId }: SandboxPartner,
  inside: Pick<Output, 'style' | 'width' | 'inLanguage'>,
): Promise<string> {
  const key = inside.inLanguage('API key')
  const fields: [string, string][] = [
    [`${key.charAt(0).toUpperCase()}${key.slice(1)}`, apiKey],
    ['Public key', publicKey],
    ['Entity id', entityId],
  ]
  return renderFields(fields, inside)
}

const INDENT = '  '

const indent = (text: string) => text.replace(/^(?=.)/gm, INDENT)
