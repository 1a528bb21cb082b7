import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TOGETHER } from '../scripts/bundle.ts'
import { identifiersOf, loadedWith, ROOT, readSources, type SourceFile } from './kit/source-graph.ts'

/** The files that other programs import. The rooms do not import them. */
const OF_THE_LIBRARY = ['src/index.ts', 'src/webhooks.ts', 'src/testing.ts']

/** What each room may import besides itself, as the design says. `context` contains only types. */
const ARROWS: Record<string, readonly string[]> = {
  text: [],
  lifetime: ['domain'],
  errors: [],
  language: ['contract', 'domain', 'errors', 'text'],
  program: [],
  migration: ['errors'],
  domain: ['text'],
  disk: ['errors', 'migration', 'text'],
  postgres: ['domain', 'errors', 'migration'],
  'http-server': ['domain', 'errors'],
  contract: ['domain', 'errors', 'text'],
  client: ['contract', 'domain', 'errors', 'lifetime', 'text'],
  sandbox: ['contract', 'domain', 'errors', 'migration', 'disk', 'http-server', 'text', 'lifetime'],
  window: ['sandbox', 'contract', 'domain', 'text'],
  torture: ['sandbox', 'contract', 'domain', 'errors', 'lifetime', 'program', 'text'],
  bulk: ['domain', 'errors', 'contract', 'disk', 'text'],
  receiver: ['domain', 'errors', 'contract', 'disk', 'postgres', 'http-server', 'lifetime', 'text'],
  history: ['domain', 'errors', 'contract', 'disk'],
  recording: ['client', 'domain', 'errors', 'contract', 'disk', 'http-server', 'text'],
  profiles: ['domain', 'errors', 'contract', 'disk', 'language', 'postgres', 'text'],
  terminal: ['errors', 'domain', 'language', 'text'],
  commands: [
    'context',
    'lifetime',
    'errors',
    'domain',
    'contract',
    'language',
    'terminal',
    'profiles',
    'http-server',
    'text',
  ],
  context: ['contract', 'domain', 'errors', 'lifetime', 'text'],
  wiring: [
    'context',
    'commands',
    'errors',
    'domain',
    'contract',
    'language',
    'terminal',
    'profiles',
    'lifetime',
    'text',
  ],
  cli: ['commands', 'context', 'wiring', 'errors', 'domain', 'language', 'terminal', 'text'],
  library: ['client', 'contract', 'domain', 'errors', 'http-server', 'text'],
  index: ['client', 'contract', 'domain', 'errors', 'library', 'text'],
  webhooks: ['library'],
  testing: ['index', 'contract', 'domain', 'errors', 'sandbox', 'window'],
  main: ['cli', 'context', 'domain', 'errors', 'terminal', 'text', 'lifetime'],
}

/**
 * Rooms that these rooms may also import. What takes long to load in them is imported when a command needs it: the start and the definitions of
 * the commands contain no package and no heavy module of Node.
 */
const HEAVY = [
  'client',
  'sandbox',
  'window',
  'torture',
  'receiver',
  'recording',
  'bulk',
  'history',
  'profiles',
  'terminal',
  'disk',
  'postgres',
  'http-server',
  'program',
]
const REACH_HEAVY = ['commands', 'context', 'wiring', 'main']

/** What each file and folder inside a room may import from the others, types included. */
const INNER_ARROWS: Record<string, Record<string, readonly string[]>> = {
  'src/sandbox/': {
    conventions: [],
    addresses: ['conventions'],
    languages: [],
    store: ['conventions'],
    records: ['addresses', 'conventions', 'store'],
    service: ['addresses', 'conventions', 'records', 'store'],
    page: ['addresses', 'conventions', 'languages', 'service'],
    sandbox: ['addresses', 'conventions', 'page', 'service', 'store'],
    server: ['addresses', 'conventions', 'sandbox', 'service', 'store'],
  },
  'src/receiver/': {
    inbox: [],
    'bug-channel': ['inbox'],
    'group-commit': ['inbox'],
    emitter: ['inbox'],
    file: ['inbox'],
    postgres: ['inbox'],
    verification: ['bug-channel'],
    forwarding: ['inbox', 'group-commit', 'bug-channel', 'verification'],
    server: [],
    delivery: ['inbox', 'bug-channel', 'group-commit', 'server', 'verification'],
    receiver: ['delivery', 'emitter', 'bug-channel', 'forwarding', 'group-commit', 'server', 'verification'],
    health: ['inbox', 'delivery', 'forwarding', 'server', 'verification'],
    conformance: ['verification'],
  },
}

/** Modules of Node that take a tenth of a start or more. Each is loaded only when it is used. */
const HEAVY_OF_NODE = ['child_process', 'crypto', 'http', 'https', 'http2', 'sqlite', 'tls', 'worker_threads'].map(
  (name) => `node:${name}`,
)

/** The packages and modules of Node that are loaded for every command line. No other may be, so that a start stays fast. */
const AT_START = ['commander', 'node:fs', 'node:os', 'node:path']

const sources = readSources('src/**/*.ts')
const own = new Set(sources.map(({ path }) => path))
const everything = [...sources, ...['test', 'bench', 'scripts'].flatMap((dir) => readSources(`${dir}/**/*.ts`))]

function roomOf(path: string): string {
  return path.split('/')[1]!.replace(/\.ts$/, '')
}

function offences(files: readonly SourceFile[], find: (file: SourceFile) => readonly string[]): string[] {
  return files.flatMap((file) => find(file).map((what) => `${file.path}: ${what}`))
}

describe('the rooms', () => {
  test('are all listed in the design', () => {
    expect(sources.map(({ path }) => roomOf(path)).filter((room) => !(room in ARROWS))).toEqual([])
  })

  test('import only the rooms that the design allows', () => {
    const wrong = offences(sources, ({ path, imports }) => {
      const room = roomOf(path)
      return imports
        .filter(({ target }) => target.startsWith('src/') && roomOf(target) !== room)
        .filter(({ target }) => {
          const to = roomOf(target)
          return !(ARROWS[room]!.includes(to) || (REACH_HEAVY.includes(room) && HEAVY.includes(to)))
        })
        .map(({ target }) => `imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  test.each(Object.entries(INNER_ARROWS))(
    'have parts inside %s that import only the parts that the design allows, including types',
    (room, arrows) => {
      const partOf = (path: string) => path.slice(room.length).split('/')[0]!.replace(/\.ts$/, '')
      const inside = sources.filter(({ path }) => path.startsWith(room))
      expect([...new Set(inside.map(({ path }) => partOf(path)))].sort()).toEqual(Object.keys(arrows).sort())
      const wrong = offences(inside, ({ path, imports }) =>
        imports
          .filter(({ target }) => target.startsWith(room) && partOf(target) !== partOf(path))
          .filter(({ target }) => !arrows[partOf(path)]!.includes(partOf(target)))
          .map(({ target }) => `imports ${target}`),
      )
      expect(wrong).toEqual([])
    },
  )

  test('import only the definition from the file of a command in another folder; code for several commands is in its own file', () => {
    const isDefinition = (name: string | null) => /^define([A-Z]|$)/.test(name ?? '')
    const commands = new Set(
      sources.filter(({ exports }) => exports.some(({ name }) => isDefinition(name))).map(({ path }) => path),
    )
    const wrong = offences(sources, ({ path, imports }) =>
      imports
        .filter(({ target }) => commands.has(target) && posix.dirname(target) !== posix.dirname(path))
        .filter(({ lazy }) => !(lazy && path === 'src/commands/commands.ts'))
        .flatMap(({ target, lazy, names }) =>
          (lazy ? ['all'] : names.filter((name) => !isDefinition(name))).map((name) => `imports ${name} of ${target}`),
        ),
    )
    expect(wrong).toEqual([])
  })

  test('import files that exist, by their whole name', () => {
    const missing = offences(sources, ({ imports }) =>
      imports.filter(({ target }) => target.startsWith('src/') && !own.has(target)).map(({ target }) => target),
    )
    expect(missing).toEqual([])
  })

  test('have no import cycle, through types or import() either', () => {
    const graph = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
    const reached = (start: string) => {
      const seen = new Set<string>()
      const open = [...(graph.get(start) ?? [])]
      for (let path = open.pop(); path !== undefined; path = open.pop()) {
        if (seen.has(path)) continue
        seen.add(path)
        open.push(...(graph.get(path) ?? []))
      }
      return seen
    }
    expect([...graph.keys()].filter((path) => reached(path).has(path))).toEqual([])
  })

  test('have no catch-all file and no barrel', () => {
    const drawers = everything.filter(({ path }) =>
      /(^|\/)(utils?|helpers?|common|shared|lib|misc|types)(\/|\.ts$)/.test(path),
    )
    expect(drawers.map(({ path }) => path)).toEqual([])
    const barrels = sources.filter(
      ({ exports }) => exports.length > 0 && exports.every(({ from }) => from !== undefined),
    )
    expect(barrels.map(({ path }) => path)).toEqual([])
  })
})

describe('what is loaded', () => {
  const foreign = (start: string) => [...loadedWith(sources, start)].filter((target) => !own.has(target))

  test('at start-up contains, besides own files, only commander and three light modules of Node', () => {
    expect(foreign('src/main.ts').sort()).toEqual(AT_START)
  })

  test.each(['server/sandbox-client', 'server/serve', 'sandbox', 'store/store', 'store/sqlite'])(
    'with sandbox/%s does not contain pg, which only the receiver needs',
    (name) => expect(foreign(`src/sandbox/${name}.ts`)).not.toContain('pg'),
  )

  test('with a sample event contains no package and no database, only own code and two light modules of Node', () => {
    expect(foreign('src/sandbox/records/records.ts').sort()).toEqual(['node:buffer', 'node:crypto'])
  })

  test('with an explanation contains nothing that is not loaded for every command line', () => {
    expect(foreign('src/commands/explanations.ts').filter((target) => !AT_START.includes(target))).toEqual([])
  })

  const commands = sources.find(({ path }) => path === 'src/commands/commands.ts')?.imports ?? []

  test.each(commands.filter(({ lazy }) => lazy).map(({ target }) => target))(
    'with %s contains no package and no heavy module of Node, so that no command loads them before it needs them',
    (path) => {
      expect(foreign(path).filter((target) => !target.startsWith('node:') || HEAVY_OF_NODE.includes(target))).toEqual(
        [],
      )
    },
  )
})

describe('the chunks of the bundle', () => {
  test('are made of files that exist', () => {
    const globs = TOGETHER.flatMap(({ modules }) => modules).flatMap((glob) => {
      const [whole, names = ''] = /\{(.+)\}/.exec(glob) ?? ['']
      return names.split(',').map((name) => glob.replace(whole, name))
    })
    expect(globs.filter((glob) => globSync(glob, { cwd: join(ROOT, 'src') }).length === 0)).toEqual([])
  })
})

describe('the sources', () => {
  test('use `process` in main.ts alone', () => {
    const wrong = offences(
      sources.filter(({ path, text }) => path !== 'src/main.ts' && text.includes('process')),
      ({ program, imports }) => [
        ...[...identifiersOf(program)].filter((name) => name === 'process'),
        ...imports.map(({ target }) => target).filter((target) => /^(node:)?process$/.test(target)),
      ],
    )
    expect(wrong).toEqual([])
  })

  test('start every HTTP server with the same function, so that limits, host checks and shutdown are the same', () => {
    const serving = sources.filter(({ imports }) =>
      imports.some(({ target, names }) => /^node:https?$/.test(target) && names.includes('createServer')),
    )
    expect(serving.map(({ path }) => path)).toEqual(['src/http-server/door.ts'])
  })

  test('have no default exports', () => {
    const wrong = everything.filter(({ exports }) => exports.some(({ name }) => name === 'default'))
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('export nothing that nobody imports', () => {
    const tests = ['src/**/*.test.ts', 'test/**/*.test.ts'].flatMap(readSources)
    const scripts = globSync('src/**/*.js', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))
    const named = new Set<string>()
    /** For each file that is imported as a whole, the texts of its importers. The test looks for the exported names in them. */
    const whole = new Map<string, string[]>()
    for (const { imports, text } of [...everything, ...tests])
      for (const { target, names } of imports) {
        for (const name of names) named.add(`${target} ${name}`)
        if (names.length === 0) whole.set(target, [...(whole.get(target) ?? []), text])
      }
    const wrong = offences(
      sources.filter(({ path }) => !OF_THE_LIBRARY.includes(path)),
      ({ path, exports }) => {
        const texts = [...(whole.get(path) ?? []), ...scripts.filter((text) => text.includes(path.split('/').at(-1)!))]
        return exports.flatMap(({ name }) => {
          const isTaken = named.has(`${path} ${name}`) || texts.some((text) => new RegExp(`\\b${name}\\b`).test(text))
          return isTaken ? [] : [`nobody imports ${name}`]
        })
      },
    )
    expect(wrong).toEqual([])
  })
})

describe('the repository', () => {
  const texts = globSync('{src,test,bench,scripts,bin,docs,.ci}/**/*', { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(
      globSync('*.{md,json,ts}', { cwd: ROOT }).map((name) => join(ROOT, name)),
      join(ROOT, '.npmrc'),
    )
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }))
  const naming = (pattern: RegExp) => texts.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

  test('contains no to-do and no skipped test', () => {
    // The words are put together, so that this test does not find them in its own file.
    const words = [
      `TO${'DO'}`,
      `FIX${'ME'}`,
      `coming${' '}soon`,
      `\\b(test|it|describe)\\.(${'skip'}|${'only'}|${'todo'})\\b`,
    ]
    expect(naming(new RegExp(words.join('|')))).toEqual([])
  })

  test('calls process.exit only after an unexpected error or a long run, because a forced end can hang', () => {
    // After a fault of our own, the program ends as Node would end it, because what still runs is unknown.
    const forced = naming(/\bprocess\s*\.\s*(exit|abort)\s*\((?!say\(|code\), LEFT_OPEN_MS\))/).filter(
      (path) => /\.[jt]s$/.test(path) && !path.endsWith('.test.ts'),
    )
    expect(forced).toEqual([])
  })

  test('names no package registry', () => {
    expect(naming(new RegExp(`npm${'js'}\\.|yarn${'pkg'}\\.|"${'resolved'}":`))).toEqual([])
  })
})
