import { type GivenAnswers, type ServiceDescription, SPECIFICATION, withAnswers } from './description.ts'

/**
 * The services that bnpl knows by name, each with the answers that differ from the specification. A further service is one line here, and
 * one file with its answers.
 */
const SERVICES: Readonly<Record<string, () => Promise<GivenAnswers>>> = {
  [SPECIFICATION.name]: async () => ({}),
  'banca.me': async () => (await import('./banca-me.ts')).BANCA_ME,
}

export const SERVICE_NAMES = Object.keys(SERVICES)

/** Returns the description of a service that bnpl knows by name; undefined for another name. */
export async function serviceCalled(name: string): Promise<ServiceDescription | undefined> {
  const answers = Object.hasOwn(SERVICES, name) ? await SERVICES[name]?.() : undefined
  return answers && withAnswers(SPECIFICATION, answers, name)
}
