import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readProfileFile } from '../../src/profiles/file.ts'
import { random } from './seed.ts'

const WORKER = join(import.meta.dirname, 'store-worker.ts')

/** Starts a worker, and resolves when it is ready. */
export async function startWorker(...words: readonly (string | number)[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [WORKER, ...words.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the worker ended early with ${code}`)))
  await Promise.race([once(child.stdout, 'data'), failed])
  failed.catch(() => {})
  return child
}

/** Starts several workers, which begin their work at the same moment. @returns their exit codes */
export async function runWorkers(task: string, dir: string, processes: number, writes: number): Promise<number[]> {
  const workers = await Promise.all(Array.from({ length: processes }, (_, i) => startWorker(task, dir, i, writes)))
  const ends = workers.map((worker) => once(worker, 'exit'))
  for (const worker of workers) worker.stdin?.end()
  return (await Promise.all(ends)).map(([code]) => code)
}

/**
 * Starts writers one after another, and kills each in the middle of its work. @returns how many times the file could not be read, and how
 * many half-written files are left
 */
export async function killWriters(configDir: string, kills: number): Promise<{ torn: number; orphans: number }> {
  let torn = 0
  for (let i = 0; i < kills; i++) {
    const child = await startWorker('profiles-for-ever', configDir, `w${i % 3}`)
    await sleep(random() * 40)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await readProfileFile(configDir).catch(() => torn++)
  }
  return { torn, orphans: orphans(configDir) }
}

/** Returns how many half-written files of killed writers are left. */
export function orphans(configDir: string): number {
  return readdirSync(configDir).filter((name) => name.includes('.tmp-')).length
}
