import { accessSync, constants, existsSync, lstatSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { Context } from '../../context.ts'
import { codeOf } from '../../errors.ts'
import { tracesTraffic } from '../../profiles/environment.ts'
import { type Examination, failResult, okResult, warnResult } from './examination.ts'

/** Returns the checks that need no account: the runtime, the folders, the environment. */
export function machineChecks({ world }: Context): Examination[] {
  const { runtime, version, env } = world
  return [
    {
      name: 'runtime',
      look: async () => okResult(`bnpl ${version}, Node ${runtime.node} on ${runtime.platform} ${runtime.arch}`),
    },
    folder('config folder', world.configDir, 'BNPL_CONFIG_DIR', runtime.platform),
    folder('state folder', world.stateDir, 'BNPL_STATE_DIR', runtime.platform),
    {
      name: 'TLS checking',
      look: async () =>
        env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
          ? failResult(
              'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off',
              'Unset that variable. For a private certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
            )
          : okResult('certificates are checked'),
    },
    { name: 'extra authorities', look: async () => extraAuthorities(env.NODE_EXTRA_CA_CERTS) },
    { name: 'debug output', look: async () => debugOutput(env) },
  ]
}

function folder(name: string, path: string, variable: string, platform: string): Examination {
  return {
    name,
    async look() {
      const another = `Set ${variable} to another folder.`
      let stat: Stats | undefined
      try {
        stat = lstatSync(path, { throwIfNoEntry: false })
        if (!stat) accessSync(nearest(path), constants.W_OK | constants.X_OK)
      } catch (error) {
        return failResult(`${path} cannot be created (${codeOf(error)})`, another)
      }
      if (!stat) return okResult(`${path} (does not exist yet, and is created when it is needed)`)
      if (stat.isSymbolicLink()) return failResult(`${path} is a symbolic link`, `Set ${variable} to the real folder.`)
      if (!stat.isDirectory()) return failResult(`${path} is not a folder`, another)
      try {
        accessSync(path, constants.R_OK | constants.W_OK)
      } catch {
        return failResult(
          `bnpl cannot read ${path}, or cannot write to it`,
          `Correct its permissions, or set ${variable} to another folder.`,
        )
      }
      const mode = stat.mode & 0o777
      if (platform !== 'win32' && (mode & 0o077) !== 0) {
        return warnResult(
          `${path} is accessible to other users (mode ${mode.toString(8)})`,
          `Run: chmod 700 '${path}' (the next command that reads the folder also sets this mode)`,
        )
      }
      return okResult(path)
    },
  }
}

function nearest(path: string): string {
  const parent = dirname(path)
  return parent === path || existsSync(parent) ? parent : nearest(parent)
}

function extraAuthorities(path: string | undefined) {
  if (!path) return undefined
  try {
    accessSync(path, constants.R_OK)
    return okResult(path)
  } catch {
    return failResult(
      `NODE_EXTRA_CA_CERTS names ${path}, which cannot be read`,
      'Correct the path. Without this file Node refuses the certificates of your private authority.',
    )
  }
}

function debugOutput(env: Readonly<Record<string, string | undefined>>) {
  return tracesTraffic(env.NODE_DEBUG)
    ? warnResult(
        `NODE_DEBUG=${env.NODE_DEBUG} prints every request with its key`,
        'Unset NODE_DEBUG. Use --verbose instead, which masks secrets.',
      )
    : undefined
}
