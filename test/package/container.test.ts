import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { packed, pathWithThisNode, temporaryFolder } from '../kit/built-program.ts'
import { ROOT } from '../kit/source-graph.ts'

const run = promisify(execFile)
const text = readFileSync(join(ROOT, 'Containerfile'), 'utf8')

/** The instructions of the container file, in order, with continued lines joined. */
const instructions = text
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))
const the = (name: string) => instructions.filter((each) => each.name === name).map(({ rest }) => rest)

test('the container file is valid: a linter finds nothing', () => {
  expect(validate(text).map(({ message }) => message)).toEqual([])
  expect(validate(text.replace('USER 1000:1000', 'USERS 1000')).map(({ message }) => message)).toHaveLength(1)
})

test('the container runs bnpl on the lowest supported Node version, and not as root', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(the('FROM')).toEqual([`node:${parseInt(engines.node.slice(2), 10)}-slim`])
  expect(instructions.findLast(({ name }) => name === 'USER')).toEqual({ name: 'USER', rest: '1000:1000' })
  expect(the('ENTRYPOINT').map((rest) => JSON.parse(rest))).toEqual([['bnpl']])
  expect(the('CMD').map((rest) => JSON.parse(rest))).toEqual([['--help']])
})

test('the Kubernetes manifest has the same user and the same state folder as the container file', () => {
  const documents = parseAllDocuments(readFileSync(join(ROOT, 'deploy/kubernetes.yaml'), 'utf8'))
  const deployment: any = documents.map((each) => each.toJS()).find(({ kind }) => kind === 'Deployment')
  const { securityContext, containers } = deployment.spec.template.spec
  expect(the('USER')).toEqual([`${securityContext.runAsUser}:${securityContext.runAsGroup}`])
  const state = containers[0].env.find(({ name }: { name: string }) => name === 'BNPL_STATE_DIR').value
  expect(the('ENV').join(' ')).toContain(`BNPL_STATE_DIR=${state} `)
})

test('the installation command of the container file installs bnpl from the packed tarball', async () => {
  using folder = temporaryFolder()
  const env = { PATH: pathWithThisNode(), HOME: folder.path, npm_config_prefix: folder.path }
  const { path } = await packed()
  copyFileSync(path, join(folder.path, basename(path)))
  const [install = ''] = the('RUN').map((rest) => rest.split('&&', 1)[0] ?? '')
  expect(install).toMatch(/^npm install --global --ignore-scripts .*\/tmp\/bnpl-\*\.tgz $/)
  await run('sh', ['-c', install.replace('/tmp/', `${folder.path}/`)], { cwd: folder.path, env })
  const { stdout } = await run(join(folder.path, 'bin', 'bnpl'), ['--version'], { env })
  expect(stdout).toBe(readFileSync(join(ROOT, 'dist', 'version.txt'), 'utf8'))
})
