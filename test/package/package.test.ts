import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire, isBuiltin } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { parseSync, Visitor } from 'rolldown/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inParentheses } from '../../scripts/compiled-at-once.ts'
import { es } from '../../src/language/es/es.ts'
import { catalogueFile, packed as packedTexts } from '../../src/language/packing.ts'
import { inCatalogue } from '../../src/language/patterns.ts'
import type { ReportData } from '../../src/sandbox/service/report/data.ts'
import { pictureReport, renderReport } from '../../src/sandbox/service/report/render.ts'
import { launch, type Packed, packed, pathWithThisNode, temporaryFolder } from '../kit/built-program.ts'
import { ROOT } from '../kit/source-graph.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const env = { PATH: pathWithThisNode(), HOME: folder.path }
let tarball: Packed
let launcher: string

beforeAll(async () => {
  tarball = await packed()
  const target = join(folder.path, 'target')
  mkdirSync(target)
  const install = ['install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', tarball.path]
  await run('npm', install, { cwd: target, env })
  launcher = join(target, 'node_modules', 'bnpl', 'bin', 'bnpl.js')
})

afterAll(() => folder[Symbol.dispose]())

/** Returns the modules that a built file loads by name. */
function requiredBy(path: string): string[] {
  const names: string[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'require') return
      names.push(first?.type === 'Literal' ? String(first.value) : 'something computed')
    },
  })
  visitor.visit(parseSync(path, readFileSync(path, 'utf8')).program)
  return names
}

describe('the npm package', () => {
  test('contains only the listed kinds of files [row 110]', () => {
    const shipped = [
      /^(package\.json|README(\.es)?\.md|LICENSE|CHANGELOG\.md)$/,
      /^bin\/((bnpl|cache-folder)\.js|package\.json)$/,
      /^dist\/([\w-]+\.cjs|completions\.json|help\.ndjson|texts\/es(\.txt|-help\.ndjson)|version\.txt|xdg-open|THIRD-PARTY-LICENSES|sbom\.cdx\.json)$/,
      /^dist\/(man\/bnpl\.1|completions\/bnpl\.(bash|zsh|fish|powershell))$/,
      /^dist\/types\/(index|webhooks|testing|advice|errors|contract\/wire|domain\/(signature-settings|sandbox-faults)|library\/(payment-page|webhooks\/\w+))\.d\.cts$/,
      /^dist\/(window-)?assets\/[\w-]+\.(css|js|svg)$/,
    ]
    const paths = tarball.files.map(({ path }) => path)
    expect(paths.filter((path) => !shipped.some((pattern) => pattern.test(path)))).toEqual([])
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'bin/bnpl.js', 'dist/main.cjs']))
  })

  test('is smaller than 1.75 MiB, and its main.cjs is smaller than 136 KiB', () => {
    // A third of the package is a second copy of the sandbox, for other programs' tests. A copy shared with the program would slow down
    // each start.
    expect(tarball.size).toBeLessThan(1.75 * 1024 * 1024)
    expect(statSync(join(ROOT, 'dist', 'main.cjs')).size).toBeLessThan(136 * 1024)
  })

  test('is at most 120 kB larger for its Spanish texts', () => {
    const files = [...globSync('dist/texts/*', { cwd: ROOT }), 'README.es.md']
    const bytes = files.map((path) => gzipSync(readFileSync(join(ROOT, path)), { level: 9 }).length)
    expect(files.length).toBe(3)
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(120_000)
  })

  test('has each Spanish text of the sources', () => {
    const ofPackage = inCatalogue(catalogueFile(join(ROOT, 'dist', 'texts', 'es.txt')), 'es')
    const ofSources = inCatalogue(packedTexts(es), 'es')
    const english = Object.keys(es)
    expect(english.map((text) => ofPackage(text))).toEqual(english.map((text) => ofSources(text)))
  })

  test('needs no other package', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined])
    const required = globSync('dist/*.cjs', { cwd: ROOT }).flatMap((path) => requiredBy(join(ROOT, path)))
    expect(required).toContain('node:fs')
    // This module takes as long to load as the rest of the client, and is not needed.
    expect(required).not.toContain('node:http2')
    expect(required.filter((name) => !name.startsWith('./') && !isBuiltin(name))).toEqual([])
  })

  test('lists the licences of bundled packages', () => {
    const licences = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY-LICENSES'), 'utf8')
    for (const name of ['commander', 'undici', 'zod'])
      expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'))
  })
})

describe('installed from its tarball, without network and scripts', () => {
  test('has a bnpl command that prints the version and the help [row 110]', async () => {
    const bin = join(folder.path, 'target', 'node_modules', '.bin', 'bnpl')
    const { stdout } = await run(bin, ['--version'], { env })
    expect(stdout).toBe(readFileSync(join(ROOT, 'dist', 'version.txt'), 'utf8'))
    expect((await run(bin, ['--help'], { env })).stdout).toContain('Usage: bnpl')
  })

  test('globally, puts its manual where `man bnpl` finds it', async () => {
    const prefix = join(folder.path, 'prefix')
    const options = ['--prefix', prefix, '--ignore-scripts', '--offline', '--no-audit', '--no-fund']
    await run('npm', ['install', '--global', ...options, tarball.path], { env })
    expect(readFileSync(join(prefix, 'share/man/man1/bnpl.1'), 'utf8')).toContain('.TH BNPL 1')
    expect((await run(join(prefix, 'bin/bnpl'), ['--version'], { env })).stdout).not.toBe('')
  })

  test('shows a call without sending it', async () => {
    const { code, stdout } = await launch({
      launcher,
      args: 'evaluate --dry-run --rut 11222333-9 --amount 250000 --entity-id e'.split(' '),
      env: { BNPL_BASE_URL: 'https://partner.example', BNPL_API_KEY: 'k-secret' },
    })
    expect(code).toBe(0)
    expect(stdout).toContain('https://partner.example/partner/pre-loan-request/bnpl')
    expect(stdout).not.toContain('k-secret')
  })

  test('makes a call', async () => {
    const seen: string[] = []
    await using server = await listen((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['user-agent']}`)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    })
    const { code } = await launch({
      launcher,
      args: ['verify', 'order-1', '--json'],
      env: { BNPL_BASE_URL: server.url, BNPL_API_KEY: 'k' },
    })
    expect(code).toBe(6)
    expect(seen).toEqual([expect.stringMatching(/^POST .*\/order-1\/loan bnpl\/[\d.]+$/)])
  })

  test('sends a call through the proxy in HTTPS_PROXY [row 14]', async () => {
    const asked: (string | undefined)[] = []
    await using proxy = await listen(() => {})
    proxy.server.on('connect', ({ url }, socket) => {
      asked.push(url)
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    const { code } = await launch({
      launcher,
      args: ['evaluate', '--rut', '11222333-9', '--amount', '1000', '--entity-id', 'e'],
      env: { BNPL_BASE_URL: 'https://partner.example', BNPL_API_KEY: 'k', HTTPS_PROXY: proxy.url },
    })
    expect(code).toBe(9)
    expect(new Set(asked)).toEqual(new Set(['partner.example:443']))
  })

  test('runs the whole payment on the sandbox, in colour', async () => {
    const { code, stdout, stderr } = await launch({
      launcher,
      args: ['walkthrough', '-p', 'sandbox'],
      env: { FORCE_COLOR: '1' },
    })
    expect({ code, colours: (stdout + stderr).includes('\u001b[') }, stderr).toEqual({ code: 0, colours: true })
    expect(stdout).toContain('ACTIVE')
  })

  test('serves the payment page with its style sheet, script and widget', async () => {
    const script = `
      const page = await fetch(process.env.BNPL_PAYMENT_URL + '/')
      const files = (await page.text()).matchAll(/(?:src|href)="([^"?]+[.](?:css|js|svg))/g)
      const paths = [...new Set([...files].map(([, path]) => path)), '/widget.js']
      const sizes = paths.map(async (path) => (await (await fetch(new URL(path, page.url))).arrayBuffer()).byteLength)
      console.log(JSON.stringify({ status: page.status, paths, empty: (await Promise.all(sizes)).filter((size) => size < 100) }))`
    const { stdout, stderr } = await launch({
      launcher,
      args: ['sandbox', 'run', '--', 'node', '--input-type=module', '-e', script],
    })
    expect(JSON.parse(stdout || 'null'), stderr).toEqual({
      status: 400,
      paths: ['/pay/icon.svg', '/pay/page.css', '/pay/page.js', '/widget.js'],
      empty: [],
    })
  })

  test('serves the window with its style sheet, and all its scripts in one file', async () => {
    const script = `
      const page = await fetch(process.env.BNPL_BASE_URL + '/')
      const files = [...(await page.text()).matchAll(/"([/]_window[^"]+)"/g)].map(([, path]) => path)
      const sizes = files.map(async (path) => {
        const file = await fetch(new URL(path, page.url))
        return [path.split('/').at(-1), file.ok && (await file.text()).length > 100]
      })
      const asked = await fetch(new URL('/_window/show/controls', page.url), { method: 'POST' })
      console.log(JSON.stringify({ statuses: [page.status, asked.status], files: await Promise.all(sizes) }))`
    const { stdout, stderr } = await launch({
      launcher,
      args: ['sandbox', 'run', '--', 'node', '--input-type=module', '-e', script],
    })
    expect(JSON.parse(stdout || 'null'), stderr).toEqual({
      statuses: [200, 401],
      files: [
        ['icon.svg', true],
        ['window.css', true],
        ['start.js', true],
      ],
    })
  })

  test('has no .cjs file that needs itself through other files, because Node would load it only in part', () => {
    const needs = (path: string) =>
      [...readFileSync(path, 'utf8').matchAll(/(?<!=>)require\("\.\/([\w-]+\.cjs)"\)/g)].map(([, name = '']) =>
        join(dirname(path), name),
      )
    const reached = (path: string, seen = new Set<string>()): Set<string> => {
      for (const each of needs(path).filter((name) => !seen.has(name))) reached(each, seen.add(each))
      return seen
    }
    const files = globSync(join(ROOT, 'dist', '*.cjs'))
    expect(files.flatMap(needs).length).toBeGreaterThan(100)
    expect(files.filter((path) => reached(path).has(path))).toEqual([])
  })

  test('can load every .cjs file in dist without an error', async () => {
    const dist = join(dirname(dirname(launcher)), 'dist')
    const parts = readdirSync(dist).filter((name) => name.endsWith('.cjs'))
    expect(parts.length).toBeGreaterThan(10)
    const script = parts.map((name) => `require(${JSON.stringify(join(dist, name))})`).join(';')
    const { stderr } = await run(process.execPath, ['-e', script], { env, cwd: folder.path })
    expect(stderr).toBe('')
  })
})

/** Starts a server on a free port of loopback. */
async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('code whose functions are compiled together with their file does what it did before', () => {
  const code = `
    let log = [later(1), inner()()]
    const pick = (a) => (b) => a(b), names = [pick.name, later.name, (() => {}).name]
    function later(n) { return n + own(n); function own(x) { return [x, x + 1].map((y) => y * 2).join() } }
    async function* steps() { yield* [1, 2].filter((n) => n > 1) }
    class Later { static made = () => new this().go(); go() { return function () { return this === undefined }.call() } }
    function inner(made = () => 'made') { return made }
    const held = { get it() { return this.go(1) }, go(n) { return n } }
    exports.result = [held.it, log, names, pick((n) => -n)(3), Later.made(), steps.constructor.name]`
  const results = (text: string) => {
    const exports: { result?: unknown } = {}
    new Function('exports', `'use strict';{${text}\n}`)(exports)
    return exports.result
  }
  const changed = inParentheses(code, { has: () => true })
  expect(changed).toContain('var later=(function later(n)')
  expect(changed).toContain('((a) => ((b) => a(b)))')
  expect(results(changed)).toEqual(results(code))
  // The functions move to the beginning, in front of a directive, which then would be an expression without effect.
  for (const directive of ["'use strict'", '"use client";'])
    expect(() => inParentheses(`${directive}\n${code}`, { has: () => true })).toThrow(
      'the chunk begins with a directive',
    )
  expect(() => inParentheses(`('use strict');${code}`, { has: () => true })).not.toThrow()
})

const APPROVED: ReportData = {
  look: 1,
  preApproveId: '01a224c7-2469-7000-aa33-20e296eb9ad2',
  partner: 'Inmobiliaria Demo',
  projectId: 'P-77',
  idNumber: '12345678-5',
  outcome: 'approved',
  amount: 125_000_000,
  evaluatedAt: '2026-11-28T22:01:02.000Z',
  contact: {
    nombres: 'María José',
    apellidoPaterno: 'Ñuñoa',
    direccion: 'Av. 742 – depto “B”',
    region: 'Metropolitana',
  },
  options: [],
  details: { puntajeRiesgo: 712, segmentoRiesgo: 'B', ingresoTotal: 2_500_000, deudaConsumo: 1_000_000 },
}

test.each<[string, ReportData]>([
  ['an approved customer', APPROVED],
  ['a rejected customer', { ...APPROVED, outcome: 'rejected', projectId: null, details: { puntajeRiesgo: 12 } }],
  ['letters that the fonts lack', { ...APPROVED, partner: `株式会社 🏠 Ω\u0007\n${'Peñalolén & Cía '.repeat(9)}` }],
  ['nothing known', { ...APPROVED, contact: {}, details: {} }],
])('the built program draws a report byte for byte as the whole PDF library does: %s', async (_, data) => {
  const built = createRequire(import.meta.url)(join(ROOT, 'dist', 'library-render.cjs'))
  const print = 'f'.repeat(64)
  expect(Buffer.from(await built.renderReport(data, print)).toString('latin1')).toBe(
    Buffer.from(await renderReport(data, print)).toString('latin1'),
  )
  expect(await built.pictureReport(data, print)).toEqual(await pictureReport(data, print))
})

test('the bundle has the part of the PDF library that draws, and not the parts that read and encrypt', () => {
  for (const name of ['render.cjs', 'library-render.cjs']) {
    const code = readFileSync(join(ROOT, 'dist', name), 'utf8')
    expect(code.length).toBeLessThan(300_000)
    for (const part of ['core/crypto', 'core/parser/PDFParser', 'api/form/PDFForm', 'api/PDFImage'])
      expect([name, code.includes(`${part}.js is not in the bundle`)]).toEqual([name, true])
  }
})
