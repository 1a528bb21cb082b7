import type { Define } from './command.ts'

type Load = () => Promise<{ define: Define }>

interface CommandEntry {
  name: string
  summary: string
  group: string
  hidden: boolean
  load: Load
}

export const HELP_GROUP = 'Help:'

/** The commands by the heading under which the help lists them. A name that begins with an underscore is not listed. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, readonly [summary: string, load: Load]>>>> = {
  'A payment:': {
    walkthrough: ['make a complete payment, step by step', () => import('./walkthrough.ts')],
    evaluate: ['evaluate a customer and show the installment options', () => import('./evaluate.ts')],
    select: ['tell the service which option the customer chose', () => import('./select.ts')],
    'widget-token': ['create a widget token, valid for 10 minutes', () => import('./widget-token.ts')],
    'pay-url': ['print the address of the hosted payment page', () => import('./pay-url.ts')],
    verify: ['verify transactions: loan, state and schedule', () => import('./verify.ts')],
    cancel: ['cancel a loan, and show what the customer gets back', () => import('./cancel.ts')],
    entities: ['entities of the account: list, add, change', () => import('./entities.ts')],
  },
  'Real estate:': {
    leads: ['list leads, or show one', () => import('./leads.ts')],
    evaluations: ['show the evaluation of a lead or a national id', () => import('./evaluations.ts')],
    informe: ['evaluation reports (PDF): get a link, download, open', () => import('./informe.ts')],
  },
  'Webhooks:': {
    webhooks: ['register destinations, receive events, test receivers', () => import('./webhooks/webhooks.ts')],
  },
  'The sandbox:': {
    sandbox: ['run the whole service on this machine, and control it', () => import('./sandbox/sandbox.ts')],
  },
  'This machine:': {
    profiles: ['accounts of the service: list, add, choose, change', () => import('./profiles/profiles.ts')],
    history: ['transactions and reports in the history of this machine', () => import('./history.ts')],
    completion: [
      'print the completion script for bash, zsh, fish or PowerShell',
      () => import('./completion/completion.ts'),
    ],
  },
  'The service:': {
    smoke: ['checks for CI: does the service answer as specified?', () => import('./smoke.ts')],
    api: ['make any call, with the key of the profile', () => import('./api.ts')],
    proxy: [
      'pass calls between your program and the service, and report what differs from the contract',
      () => import('./proxy.ts'),
    ],
    contract: [
      'the contract with the service: OpenAPI, and the gaps in the specification',
      () => import('./contract/contract.ts'),
    ],
  },
  [HELP_GROUP]: {
    explain: ['explain a code, a status or an exit code', () => import('./explain.ts')],
    doctor: ['find out why commands fail', () => import('./doctor.ts')],
    __complete: [
      'print the words that can come next, for the completion scripts',
      () => import('./completion/complete.ts'),
    ],
  },
}

export const COMMANDS: readonly CommandEntry[] = Object.entries(GROUPS).flatMap(([group, commands]) =>
  Object.entries(commands).map(([name, [summary, load]]) => ({
    name,
    summary,
    group,
    hidden: name.startsWith('_'),
    load,
  })),
)
