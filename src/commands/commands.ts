import type { Define } from './command.ts'

interface CommandEntry {
  name: string
  summary: string
  group: string
  hidden?: boolean
  load: () => Promise<{ define: Define }>
}

const PAYMENT = 'A payment:'
const REAL_ESTATE = 'Real estate:'
const MACHINE = 'This machine:'
const SERVICE = 'The service:'
export const HELP_GROUP = 'Help:'

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'walkthrough',
    summary: 'make a complete payment, step by step',
    group: PAYMENT,
    load: () => import('./walkthrough.ts'),
  },
  {
    name: 'evaluate',
    summary: 'evaluate a customer and show the installment options',
    group: PAYMENT,
    load: () => import('./evaluate.ts'),
  },
  {
    name: 'select',
    summary: 'tell the service which option the customer chose',
    group: PAYMENT,
    load: () => import('./select.ts'),
  },
  {
    name: 'widget-token',
    summary: 'create a widget token, valid for 10 minutes',
    group: PAYMENT,
    load: () => import('./widget-token.ts'),
  },
  {
    name: 'pay-url',
    summary: 'print the address of the hosted payment page',
    group: PAYMENT,
    load: () => import('./pay-url.ts'),
  },
  {
    name: 'verify',
    summary: 'verify transactions: loan, state and schedule',
    group: PAYMENT,
    load: () => import('./verify.ts'),
  },
  {
    name: 'cancel',
    summary: 'cancel a loan, and show what the customer gets back',
    group: PAYMENT,
    load: () => import('./cancel.ts'),
  },
  {
    name: 'entities',
    summary: 'entities of the account: list, add, change',
    group: PAYMENT,
    load: () => import('./entities.ts'),
  },
  {
    name: 'leads',
    summary: 'list leads, or show one',
    group: REAL_ESTATE,
    load: () => import('./leads.ts'),
  },
  {
    name: 'evaluations',
    summary: 'show the evaluation of a lead or a national id',
    group: REAL_ESTATE,
    load: () => import('./evaluations.ts'),
  },
  {
    name: 'informe',
    summary: 'evaluation reports (PDF): get a link, download, open',
    group: REAL_ESTATE,
    load: () => import('./informe.ts'),
  },
  {
    name: 'webhooks',
    summary: 'register destinations, receive events, test receivers',
    group: 'Webhooks:',
    load: () => import('./webhooks/webhooks.ts'),
  },
  {
    name: 'sandbox',
    summary: 'run the whole service on this machine, and control it',
    group: 'The sandbox:',
    load: () => import('./sandbox/sandbox.ts'),
  },
  {
    name: 'profiles',
    summary: 'accounts of the service: list, add, choose, change',
    group: MACHINE,
    load: () => import('./profiles/profiles.ts'),
  },
  {
    name: 'history',
    summary: 'transactions and reports in the history of this machine',
    group: MACHINE,
    load: () => import('./history.ts'),
  },
  {
    name: 'smoke',
    summary: 'checks for CI: does the service answer as specified?',
    group: SERVICE,
    load: () => import('./smoke.ts'),
  },
  {
    name: 'api',
    summary: 'make any call, with the key of the profile',
    group: SERVICE,
    load: () => import('./api.ts'),
  },
  {
    name: 'proxy',
    summary: 'pass calls between your program and the service, and report what differs from the contract',
    group: SERVICE,
    load: () => import('./proxy.ts'),
  },
  {
    name: 'explain',
    summary: 'explain a code, a status or an exit code',
    group: HELP_GROUP,
    load: () => import('./explain.ts'),
  },
  {
    name: 'contract',
    summary: 'the contract with the service: OpenAPI, and the gaps in the specification',
    group: SERVICE,
    load: () => import('./contract/contract.ts'),
  },
  {
    name: 'doctor',
    summary: 'find out why commands fail',
    group: HELP_GROUP,
    load: () => import('./doctor.ts'),
  },
  {
    name: 'completion',
    summary: 'print the completion script for bash, zsh, fish or PowerShell',
    group: MACHINE,
    load: () => import('./completion/completion.ts'),
  },
  {
    name: '__complete',
    summary: 'print the words that can come next, for the completion scripts',
    group: HELP_GROUP,
    hidden: true,
    load: () => import('./completion/complete.ts'),
  },
]
