import { exits } from '../contract/failures/kinds.ts'
import { LANGUAGES } from '../language/language.ts'
import type { Words } from '../language/patterns.ts'
import { GAP_HELP, PROFILE_SETTINGS } from '../profiles/profile.ts'
import { wrap } from '../terminal/wrap.ts'

const WIDTH = 80

/** The help texts that do not belong to a command, by the word that the user types: `bnpl help environment`. */
export const TOPICS: Readonly<Record<string, (inLanguage: Words) => string>> = {
  environment: (inLanguage) =>
    [
      inLanguage(
        'Environment variables. An option overrides a variable, and a variable overrides\nthe profile. `bnpl profiles show` says where each setting comes from.',
      ),
      ...Object.entries(VARIABLES).flatMap(([about, variables]) => [
        '',
        `${inLanguage(about)}:`,
        ...lines(variables, inLanguage),
      ]),
      '',
    ].join('\n'),
  'exit-codes': (inLanguage) =>
    [
      inLanguage('How a command ends. `bnpl explain CODE` says what to do about each code.'),
      '',
      ...lines(Object.fromEntries(exits().map(({ exit, kind, meaning }) => [`${exit} ${kind}`, meaning])), inLanguage),
      '',
    ].join('\n'),
  settings: (inLanguage) =>
    [
      inLanguage('Settings of a profile, changed with: bnpl profiles set KEY VALUE'),
      inLanguage(
        'A key or a secret is never an argument. Store a key with: bnpl profiles set-key,\nand a secret with: bnpl profiles add-secret',
      ),
      '',
      ...lines(PROFILE_SETTINGS, inLanguage),
      '',
      ...GAP_HELP.map(inLanguage),
      '',
    ].join('\n'),
}

function lines(meanings: Readonly<Record<string, string>>, inLanguage: Words): string[] {
  const width = Math.max(...Object.keys(meanings).map((name) => name.length)) + 4
  return Object.entries(meanings).map(
    ([name, meaning]) => `  ${name.padEnd(width - 2)}${wrap(inLanguage(meaning), WIDTH - width, ' '.repeat(width))}`,
  )
}

/**
 * The environment variables that bnpl reads, grouped by topic. An option overrides a variable, and a variable
 * overrides a profile.
 */
export const VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'The account': {
    BNPL_PROFILE: 'the profile to use if -p is not given',
    BNPL_BASE_URL: 'base address of the service. If BNPL_API_KEY is set too, no profile is needed',
    BNPL_API_KEY: 'the API key',
    BNPL_PAYMENT_URL: 'address of the hosted payment page',
    BNPL_PUBLIC_KEY: 'public key for the payment page',
    BNPL_ENTITY_ID: 'merchant entity id',
    BNPL_SUCCESS_URL: 'address to which the customer returns after the payment, for `bnpl pay-url`',
    BNPL_ERROR_URL: 'address to which the customer returns when the payment fails or is cancelled, for `bnpl pay-url`',
    BNPL_SERVICE: 'description of the service: a name (specification, banca.me), or a file',
    BNPL_WEBHOOK_SECRET: 'secret of webhook deliveries: the HMAC secret or the token',
  },
  'Places on this machine': {
    BNPL_CONFIG_DIR: 'settings folder, for the profiles (default: XDG_CONFIG_HOME/bnpl or ~/.config/bnpl)',
    BNPL_STATE_DIR:
      'state folder, for the history, the inbox and the sandbox (default: XDG_STATE_HOME/bnpl or ~/.local/state/bnpl)',
    BNPL_RUN_DIR: 'set by `bnpl sandbox torture`: a new folder for the files of one run',
    BNPL_RUN_ID:
      'set by `bnpl sandbox torture`: a name that only one run has, such as run_4711_3, for a database or a schema',
    BNPL_RUN_PORT: 'set by `bnpl sandbox torture` with --restart: the port on which the shop must listen in one run',
    XDG_CONFIG_HOME: 'parent folder of the settings folder, on Linux. A relative path is ignored',
    XDG_STATE_HOME: 'parent folder of the state folder, on Linux. A relative path is ignored',
    LOCALAPPDATA: 'parent folder of the settings folder and of the state folder, on Windows',
    MSYSTEM: 'set by Git Bash and MSYS2; without it, commands on Windows are printed for PowerShell',
  },
  'A database': {
    BNPL_DATABASE: 'PostgreSQL address of the inbox: postgres://user@host/name',
    BNPL_DATABASE_PASSWORD: 'password for that database',
    PGPASSWORD: 'password for that database, if BNPL_DATABASE_PASSWORD is not set',
  },
  'The network': {
    HTTPS_PROXY:
      'address of a proxy, such as http://proxy.example:3128, for https connections to other machines. https_proxy takes precedence',
    NO_PROXY: 'hosts that are called without the proxy. no_proxy takes precedence',
    NODE_EXTRA_CA_CERTS: 'file with the certificates of your own certificate authority',
    NODE_TLS_REJECT_UNAUTHORIZED:
      'if 0, Node does not check certificates. Therefore a command that calls the service over the network ends with an error, unless BNPL_BASE_URL is an address of this machine',
    NODE_DEBUG:
      'if its value makes Node print requests, a command sends nothing and ends with an error, because requests contain keys. In the beta environment, in the sandbox, and with a service on this machine, the command works and only prints a warning',
  },
  'The terminal': {
    NO_COLOR: 'if set, no colours are used',
    FORCE_COLOR: 'if set, colours are used even in a pipe. 0 turns colours off',
    BNPL_LANG: `language of the texts for people: ${LANGUAGES.join(', ')} (default: the setting language, then the locale)`,
    BNPL_ACCESSIBLE:
      'if set, for screen readers and braille displays: nothing is redrawn, no colours are used, choices have numbers, and each change is one line',
    TERM: 'with the value dumb, no colours are used and no line is redrawn',
    CI: 'if set, no line is redrawn. CI systems set it, because they store the output in a log',
    LC_ALL:
      'locale of the numbers in tables: 250,000 in en_US (default: LC_NUMERIC, then LANG). Texts are in Spanish in a locale such as es_CL',
    LC_MESSAGES: 'locale of the texts, if LC_ALL is not set',
    LC_NUMERIC: 'locale of the numbers in tables, if LC_ALL is not set',
    LANG: 'locale of the numbers in tables, if LC_ALL and LC_NUMERIC are not set. Without a locale, numbers are written as in Chile: 250.000',
    COLUMNS: 'width of the terminal, if the terminal does not report it',
  },
}
