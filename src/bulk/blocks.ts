import { createHash } from 'node:crypto'
import { config } from '../errors.ts'
import type { Input } from './input.ts'

/** Digests of a file's content. Each digest covers the content from the start of the file to the end of one block. */
export interface Blocks {
  /** SHA-256 of the whole content, in hex. */
  digest: string
  version: string
  count: number
  /**
   * Whether the content from the start of the file to the end of a block (0, 1, 2 …) is unchanged since the check. `soFar` is what `add`
   * returned for that block.
   */
  fits(block: number, soFar: bigint): boolean
}

interface BlockReader {
  add(bytes: Uint8Array): bigint
  end(version: string): Blocks
}

/** Returns a reader that computes the digests block by block. It stores eight bytes for each block. */
export function createBlockReader(): BlockReader {
  const hash = createHash('sha256')
  let seen = new BigUint64Array(64)
  let count = 0
  return {
    add(bytes) {
      const soFar = hash.update(bytes).copy().digest().readBigUInt64LE()
      if (count === seen.length) {
        const more = new BigUint64Array(count * 2)
        more.set(seen)
        seen = more
      }
      seen[count++] = soFar
      return soFar
    },
    end: (version) => ({
      digest: hash.digest('hex'),
      version,
      count,
      fits: (block, soFar) => block < count && seen[block] === soFar,
    }),
  }
}

export interface CheckedInput extends Input {
  isUnchanged(): Promise<boolean>
}

/** Returns an input whose `bytes` throws `config` as soon as the file differs from the content that was checked. */
export function asChecked(input: Input, blocks: Blocks): CheckedInput {
  let { version } = blocks
  const isUnchanged = async () => {
    const now = await input.version()
    if (now === version) return true
    const reader = createBlockReader()
    for await (const bytes of input.bytes()) reader.add(bytes)
    if (reader.end(now).digest !== blocks.digest) return false
    version = now
    return true
  }
  return {
    ...input,
    isUnchanged,
    async *bytes() {
      const reader = createBlockReader()
      let block = 0
      for await (const bytes of input.bytes()) {
        if (!(await isUnchanged()) || !blocks.fits(block++, reader.add(bytes))) throw changed(input.name)
        yield bytes
      }
      if (block !== blocks.count) throw changed(input.name)
    },
  }
}

function changed(name: string) {
  return config(
    `${name} was changed during the run, so the run stopped before it sent a changed row`,
    'Run the command again when no program writes to the file. If some of its rows were sent, restore the old content first and add --resume.',
    'INPUT_CHANGED',
  )
}
