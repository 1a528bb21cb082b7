import type { ChildProcess } from 'node:child_process'

/** How a process ended, and everything that it wrote. */
export interface Ended {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
}

/** The output of a process, collected from its start. */
export interface ChildOutput {
  /** What the process has written so far; empty if the stream is not a pipe. */
  stdout(): string
  stderr(): string
  /** Resolves when the process has ended and its streams are closed. Rejects when the process could not be started. */
  ended: Promise<Ended>
}

/** Collects the output of a process. It is decoded only at the end, because a character may be split between two chunks. */
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
