import { KIND_WORDS, OTHER_EXITS } from '../../contract/failures/kinds.ts'
import { EXIT_CODES } from '../../errors.ts'
import { GAP_HELP, PROFILE_SETTINGS } from '../../profiles/profile.ts'
import { wrap } from '../../terminal/wrap.ts'
import { VARIABLES } from './environment.ts'

const WIDTH = 80

/** The help texts that do not belong to a command, by the word that the user types: `bnpl help environment`. */
export const TOPICS: Readonly<Record<string, () => string>> = {
  environment: () =>
    [
      'Environment variables. An option overrides a variable, and a variable overrides',
      'the profile. `bnpl profiles show` says where each setting comes from.',
      ...Object.entries(VARIABLES).flatMap(([about, variables]) => ['', `${about}:`, ...lines(variables)]),
      '',
    ].join('\n'),
  'exit-codes': () =>
    [
      'How a command ends. `bnpl explain CODE` says what to do about each code.',
      '',
      ...lines(Object.fromEntries(exitCodes().map(([code, kind, meaning]) => [`${code} ${kind}`, meaning]))),
      '',
    ].join('\n'),
  settings: () =>
    [
      'Settings of a profile, changed with: bnpl profiles set KEY VALUE',
      'A key or a secret is never an argument. Store a key with: bnpl profiles set-key,',
      'and a secret with: bnpl profiles add-secret',
      '',
      ...lines(PROFILE_SETTINGS),
      '',
      ...GAP_HELP,
      '',
    ].join('\n'),
}

/** Returns every exit code with its kind and its meaning, in numerical order. */
export const exitCodes = (): (readonly [code: number, kind: string, meaning: string])[] =>
  [
    ...Object.entries(KIND_WORDS).map(
      ([kind, { meaning }]) => [EXIT_CODES[kind as keyof typeof EXIT_CODES], kind, meaning] as const,
    ),
    ...Object.entries(OTHER_EXITS).map(([code, { kind, meaning }]) => [Number(code), kind, meaning] as const),
  ].toSorted(([a], [b]) => a - b)

function lines(meanings: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(meanings).map((name) => name.length)) + 4
  return Object.entries(meanings).map(
    ([name, meaning]) => `  ${name.padEnd(width - 2)}${wrap(meaning, WIDTH - width, ' '.repeat(width))}`,
  )
}
