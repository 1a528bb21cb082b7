/**
 * Draws the folders of `src`, which are called rooms, and a line for each list of steps in docs/walks. Such a list names the files
 * through which something passes, for example an amount. `npm run docs` writes the picture.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** The rooms of the picture, grouped into bands from top to bottom. A room imports only rooms below it. `room/part` is a part of a room. */
export const BANDS: Record<string, readonly string[]> = {
  'a command line': ['main', 'cli', 'wiring', 'commands', 'context'],
  'what it does': [
    'terminal',
    'history',
    'profiles',
    'bulk',
    'receiver',
    'receiver/forwarding',
    'receiver/file',
    'testing',
    'window',
    'torture',
    'sandbox',
    'sandbox/server',
    'sandbox/service',
    'sandbox/records',
    'sandbox/store',
    'index',
    'webhooks',
    'library',
    'recording',
    'client',
    'language',
  ],
  'what is agreed': ['contract'],
  ground: ['http-server', 'postgres', 'disk', 'program', 'migration', 'lifetime'],
  rules: ['domain', 'text', 'errors'],
}

const WALKS = {
  amount: 'an amount',
  'bulk-row': 'a row of a file',
  webhook: 'a webhook',
  'sandbox-request': 'a sandbox request',
}

export type WalkName = keyof typeof WALKS
export const WALK_NAMES = Object.keys(WALKS) as WalkName[]

export const walkPage = (name: WalkName): string => `docs/walks/${name}.md`

/** Returns the files of each list of steps on the page of a walk, as paths from the repository's root. */
export function stepsOf(name: WalkName): string[][] {
  const text = readFileSync(join(ROOT, walkPage(name)), 'utf8')
  return text
    .split(/^1\. /m)
    .slice(1)
    .map((list) =>
      [...`1. ${list}`.matchAll(/^\d+\. \[.+?\]\(\.\.\/\.\.\/(src\/.+?)\)/gm)].map(([, path = '']) => path),
    )
}

const LINE = 21
const TOP = 64
const LEFT = 196
const STEP = 11.5
const GAP = 30
const COLOURS = ['#76d3e8', '#e3b341', '#ff9e8f', '#5fd3a6']

function lineOf(file: string, lines: readonly string[]): number {
  const path = file.slice('src/'.length).replace(/\.ts$/, '')
  const fitting = lines.filter((line) => path === line || path.startsWith(`${line}/`))
  const longest = fitting.sort((a, b) => b.length - a.length)[0]
  if (longest === undefined) throw new Error(`${file} is in no room of the picture`)
  return lines.indexOf(longest)
}

/** Returns an SVG with a grey line for each folder of `src`, and a coloured line through the steps of each page of docs/walks. */
export function architecturePicture(): string {
  const lines = Object.values(BANDS).flat()
  const y = (line: number) => TOP + line * LINE + LINE / 2
  const parts: string[] = []
  let line = 0
  for (const [i, [band, rooms]] of Object.entries(BANDS).entries()) {
    const [top, height] = [TOP + line * LINE, rooms.length * LINE]
    parts.push(`<rect x="0" y="${top}" width="100%" height="${height}" fill="${i % 2 === 0 ? '#1a1e25' : '#14171c'}"/>`)
    parts.push(`<text x="184" y="${top + 14}" text-anchor="end" font-size="10" fill="#8b949e">${band}</text>`)
    for (const room of rooms) {
      const [, indent = '', name = room] = /^(\w+\/)?(\w+)$/.exec(room) ?? []
      parts.push(`<text x="${indent === '' ? 16 : 32}" y="${y(line) + 4}">${indent === '' ? name : `/${name}`}</text>`)
      parts.push(`<line x1="${LEFT}" x2="100%" y1="${y(line)}" y2="${y(line)}" stroke="#2a2f37"/>`)
      line++
    }
  }
  let x = LEFT + 12
  for (const [i, name] of WALK_NAMES.entries()) {
    const [colour, lists] = [COLOURS[i], stepsOf(name)]
    const steps = lists.map(({ length }) => length).join(' + ')
    parts.push(`<text x="${x - 4}" y="34" font-weight="700" fill="${colour}">${WALKS[name]}</text>`)
    parts.push(`<text x="${x - 4}" y="51" font-size="11" fill="#8b949e">${steps} steps</text>`)
    for (const files of lists) {
      const points = files.map((file, at) => [x + at * STEP, y(lineOf(file, lines))] as const)
      const path = points.map(([px, py]) => `${px},${py}`).join(' ')
      parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-opacity="0.6"/>`)
      for (const [at, [px, py]] of points.entries()) {
        const name = files[at]?.slice('src/'.length)
        parts.push(`<circle cx="${px}" cy="${py}" r="4" fill="${colour}"><title>${at + 1} ${name}</title></circle>`)
      }
      x += files.length * STEP + (lists.length > 1 ? GAP / 2 : 0)
    }
    x += GAP
  }
  const [width, height] = [Math.ceil(x - GAP + 12), TOP + lines.length * LINE + 12]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<title>The rooms of bnpl, and four ways through them: each dot is a file</title>',
    `<rect width="${width}" height="${height}" rx="10" fill="#14171c"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#d7dce2">`,
    ...parts,
    '</g></svg>',
    '',
  ].join('\n')
}
