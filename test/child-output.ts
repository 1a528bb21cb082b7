import type { ChildProcess } from 'node:child_process'

/** How a process ended, and everything it said. */
export interface Ended {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
}

/** What a process says, collected from its start. */
export interface ChildOutput {
  /** What it has written so far; empty where the stream is no pipe. */
  stdout(): string
  stderr(): string
  /** Resolves when it is over and its streams are closed; rejects when it could not be started. */
  ended: Promise<Ended>
}

/** Collects what a process says. Pieces are put together before they are decoded: a character may stand in two of them. */
export function outputOf(child: ChildProcess): ChildOutput {
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = []
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
    return () => Buffer.concat(chunks).toString()
  }) as [() => string, () => string]
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout: stdout(), stderr: stderr() }))
  })
  return { stdout, stderr, ended }
}
