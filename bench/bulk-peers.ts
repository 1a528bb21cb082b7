import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from './measure.ts'

/** A program that ours is compared with, or the reason why it cannot be measured. */
export type Peer = Case | { name: string; missing: string }

/**
 * Returns newman, which repeats a collection of one request for each id of a file. It is installed from npm into the folder of this run.
 */
export function newman(dir: string, origin: string, count: number): Peer {
  const name = 'newman'
  const home = join(dir, 'newman')
  try {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', home]
    execFileSync('npm', ['install', ...options, 'newman@6'], { stdio: 'pipe', timeout: 90_000 })
  } catch {
    return { name, missing: 'it could not be installed from npm' }
  }
  const collection = join(dir, 'newman.json')
  const header = [{ key: 'authorization', value: 'Bearer key' }]
  const request = { method: 'POST', url: `${origin}/partner/pre-approve/{{trx}}/loan`, header }
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  writeFileSync(collection, JSON.stringify({ info: { name: 'bench', schema }, item: [{ name: 'verify', request }] }))
  const data = join(dir, 'newman-data.json')
  writeFileSync(data, JSON.stringify(Array.from({ length: count }, (_, i) => ({ trx: `order-${i}` }))))
  const program = join(home, 'node_modules', 'newman', 'bin', 'newman.js')
  return { name, command: [process.execPath, program, 'run', collection, '-d', data, '--silent'] }
}

/**
 * Returns hurl, which works on eight files at a time. Its npm package downloads a binary from elsewhere, so hurl is measured only where the
 * system has it.
 */
export function hurl(dir: string, origin: string, count: number): Peer {
  const name = 'hurl --parallel'
  if (spawnSync('hurl', ['--version']).error) return { name, missing: 'it is not installed' }
  const files = Array.from({ length: 8 }, (_, part) => {
    const path = join(dir, `part-${part}.hurl`)
    const ids = Array.from({ length: count }, (_, i) => i).filter((i) => i % 8 === part)
    const call = (i: number) =>
      `POST ${origin}/partner/pre-approve/order-${i}/loan\nauthorization: Bearer key\nHTTP 200\n`
    writeFileSync(path, ids.map(call).join('\n'))
    return path
  })
  return { name, command: ['hurl', '--parallel', '--jobs', '8', '--no-output', ...files] }
}
