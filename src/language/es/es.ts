import { CALLS } from '../../contract/calls/calls.ts'
import { WORDS } from '../../contract/languages.ts'
import { GENERAL } from '../../contract/statuses.ts'
import { isRecord } from '../../text/json-text.ts'
import type { Catalogue } from '../packing.ts'
import { bulk } from './bulk.ts'
import { client } from './client.ts'
import { commands } from './commands.ts'
import { composed } from './composed.ts'
import { contract } from './contract.ts'
import { disk } from './disk.ts'
import { domain } from './domain.ts'
import { profiles } from './profiles.ts'
import { receiver } from './receiver.ts'
import { sandbox } from './sandbox.ts'
import { terminal } from './terminal.ts'
import { torture } from './torture.ts'
import { webhooks } from './webhooks.ts'

/**
 * The Spanish texts, by the room whose code has the English texts. `node scripts/texts.ts` lists the texts that are missing. The words for
 * terms such as “installment” are in glossary.md.
 */
export const es: Catalogue = {
  ...contractTexts(),
  ...bulk,
  ...client,
  ...commands,
  ...contract,
  ...composed,
  ...disk,
  ...domain,
  ...profiles,
  ...receiver,
  ...sandbox,
  ...terminal,
  ...torture,
  ...withoutMarks(torture),
  ...webhooks,
}

/** Returns the texts as the torture prints its advice: without the marks of Markdown, which only the docs show. */
function withoutMarks(texts: Catalogue): Catalogue {
  const plain = (text: string) => text.replaceAll('`', '')
  return Object.fromEntries(Object.entries(texts).map(([english, spanish]) => [plain(english), plain(spanish)]))
}

/** The texts of the contract, which the pages of the sandbox use too. */
function contractTexts(): Catalogue {
  const texts: Record<string, string> = {}
  const pair = (english: unknown, spanish: unknown): void => {
    if (typeof english === 'string' && typeof spanish === 'string') texts[english] = spanish
    if (isRecord(english) && isRecord(spanish))
      for (const [field, words] of Object.entries(spanish)) pair(english[field], words)
  }
  pair(CALLS, WORDS.es.calls)
  pair(GENERAL, WORDS.es.general)
  // A table of several transactions shows what a status means, with the status and the message of the service.
  for (const [english, spanish] of Object.entries(texts)) {
    texts[`${english} ({status}){said}`] = `${spanish} ({status}){said:quoted}`
    texts[`${english} ({status}, with nothing in \`data\`)`] = `${spanish} ({status}, sin nada en \`data\`)`
  }
  return texts
}
