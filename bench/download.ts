import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publish, quick, words } from './finding.ts'
import { type Case, found, measure } from './measure.ts'

/**
 * Measures whole downloads of 200 MB from loopback to disk: `bnpl informe download`, which hashes, checks, syncs and renames, beside
 * programs that only copy. Arguments: rounds (default 8), then a folder to write to.
 */

const SIZE = 200 * 1024 * 1024

const root = dirname(import.meta.dirname)
if (!existsSync(join(root, 'dist', 'main.cjs'))) throw new Error('not built: npm run build')
const [rounds = quick ? '2' : '8', folder = tmpdir()] = words
const home = mkdtempSync(join(folder, 'bnpl-bench-'))
const server = await serve(makeFile(home))
try {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const measured = await measure(
    { name: '`curl -o`', command: ['curl', '-sS', '-o', join(home, 'curl.pdf'), `${base}/file`] },
    casesFor(home, base),
    Number(rounds),
  )
  const about = `200 MB from loopback to disk, from the start of the process to its end, ${rounds} rounds. Our command also hashes the file, checks it, syncs it to the disk and renames it. Ratios are to \`curl -o\`.`
  publish(found('Download', about, measured))
} finally {
  server.close()
  rmSync(home, { recursive: true })
}

function casesFor(dir: string, base: string): Case[] {
  const env = {
    HOME: dir,
    XDG_CACHE_HOME: join(dir, 'cache'),
    BNPL_CONFIG_DIR: join(dir, 'config'),
    BNPL_STATE_DIR: join(dir, 'state'),
  }
  const bnpl = (words: string[], more: Record<string, string>, goal: number): Case => ({
    name: `\`bnpl informe download\`, ${words.length === 0 ? 'by id' : 'from its link'}`,
    command: [
      process.execPath,
      join(root, 'bin', 'bnpl.js'),
      'informe',
      'download',
      'P1',
      '--dir',
      dir,
      '--force',
      ...words,
    ],
    env: { ...env, ...more },
    goal,
  })
  const shell = (name: string, line: string): Case => ({ name: `\`${name}\``, command: ['sh', '-c', line] })
  return [
    bnpl(['--from-link', `${base}/partner/informe/signature`], {}, 1.4),
    bnpl([], { BNPL_BASE_URL: base, BNPL_API_KEY: 'key' }, 1.6),
    { name: '`wget -O`', command: ['wget', '-q', '-O', join(dir, 'wget.pdf'), `${base}/file`] },
    shell('curl | tee | sha256sum', `curl -sS ${base}/file | tee ${dir}/tee.pdf | sha256sum`),
    shell('curl -o, then sha256sum', `curl -sS -o ${dir}/then.pdf ${base}/file && sha256sum ${dir}/then.pdf`),
  ]
}

/** Returns a storage server that sends a file from the disk, as object storage and web servers do. */
function serve(file: string): Promise<Server> {
  const made = createServer((request, response) => {
    if (request.url?.endsWith('/partner/informe/signature')) response.writeHead(302, { location: '/file' }).end()
    else if (request.url !== '/file')
      response.end(JSON.stringify({ data: { url: `http://${request.headers.host}/file` } }))
    else {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': SIZE })
      createReadStream(file).pipe(response)
    }
  })
  return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(made)))
}

function makeFile(dir: string): string {
  const path = join(dir, 'source.pdf')
  const bytes = Buffer.alloc(SIZE, 'stream of a report\n')
  bytes.write('%PDF-1.7\n')
  bytes.write('\n%%EOF\n', SIZE - 7)
  writeFileSync(path, bytes)
  return path
}
