import { Command, Option } from '@commander-js/extra-typings'
import { expect, test } from 'vitest'
import { candidates, shapeOf } from './candidates.ts'

/** A program with one command of each form. */
function program() {
  const root = new Command('bnpl')
    .option('-p, --profile <name>', 'the profile')
    .option('--quiet', 'no notes')
    .option('-o, --output <format>', 'the form')
  root.options[2]?.choices(['table', 'json'])
  root.addOption(new Option('--secret-flag').hideHelp())
  root
    .command('verify')
    .description('verify transactions')
    .argument('[trx...]')
    .option('--from <file>', 'rows')
    .option('--out <dir>', 'results')
    .option('--wait [duration]', 'wait')
    .option('--state <state>', 'a state')
    .option('--pre-approve-id <id>', 'an id')
    .option('--other-profile <profile>', 'another profile')
  root.command('__complete').argument('<shell>')
  root.command('explain').argument('<code>')
  root.command('show').argument('<id>').argument('<preApproveId>')
  const api = root.command('api')
  api.argument('<method>').argument('<path>')
  const profiles = root.command('profiles').description('settings')
  profiles.command('add').argument('<name>')
  profiles.command('use').argument('<name>').argument('[other]')
  root.command('named').argument('<name>')
  root.command('shells').argument('<shell>')
  root.commands.at(-1)?.registeredArguments[0]?.choices(['bash', 'fish'])
  return root
}

const offered = (...words: string[]) => {
  const chosen = candidates(shapeOf(program()), words)
  return 'found' in chosen ? chosen.found.map(({ value }) => value) : chosen
}
const wanted = (kind: string, typed = '', more: { prefix?: string; profile?: string } = {}) => ({
  wanted: kind,
  typed,
  prefix: more.prefix ?? '',
  profile: more.profile,
})

test('commands are completed by prefix, without the commands for programs', () => {
  expect(offered('')).toEqual(['verify', 'explain', 'show', 'api', 'profiles', 'named', 'shells'])
  expect(offered('s')).toEqual(['show', 'shells'])
  expect(offered('__')).toEqual([])
  expect(offered('profiles', '')).toEqual(['add', 'use'])
  expect(offered('help', 'v')).toEqual(['verify'])
  expect(candidates(shapeOf(program()), ['v'])).toEqual({ found: [{ value: 'verify', about: 'verify transactions' }] })
  expect(offered('profiles', 'help', 'a')).toEqual(['add'])
  // Where a command is possible, this word asks for help. Elsewhere it is a value.
  expect(offered('explain', 'help', '')).toEqual([])
  expect(offered('verify', 'help', '--fr')).toEqual(['--from'])
})

test('after an unknown command nothing is offered', () => {
  expect(offered('no-such', '')).toEqual([])
  expect(offered('profiles', 'no-such', '--')).toEqual([])
})

test('options of the command come before those of the program, each once', () => {
  expect(offered('--')).toEqual(['--profile', '--quiet', '--output', '--help'])
  expect(offered('verify', '--p')).toEqual(['--pre-approve-id', '--profile'])
  expect(offered('verify', '--h')).toEqual(['--help'])
  expect(offered('verify', '--no')).toEqual([])
  expect(candidates(shapeOf(program()), ['verify', '--fr'])).toEqual({ found: [{ value: '--from', about: 'rows' }] })
  expect(candidates(shapeOf(program()), ['--he'])).toEqual({ found: [{ value: '--help', about: 'show help' }] })
})

test('the values of an option are offered after the option and after “=”', () => {
  expect(offered('-o', '')).toEqual(['table', 'json'])
  expect(offered('verify', '--output', 'j')).toEqual(['json'])
  expect(offered('verify', '--output=j')).toEqual(['--output=json'])
  expect(offered('verify', '--from', '')).toEqual([':files'])
  expect(offered('verify', '--out=')).toEqual([':dirs'])
  expect(offered('verify', '--state', '')).toEqual([])
  expect(offered('verify', '--no-such=')).toEqual([])
})

test('after an option without a value, or with an optional value, arguments are completed', () => {
  expect(offered('verify', '--quiet', 'T')).toEqual(wanted('transaction', 'T'))
  expect(offered('verify', '--wait', 'T')).toEqual(wanted('transaction', 'T'))
  expect(offered('verify', '--from=rows.csv', 'T')).toEqual(wanted('transaction', 'T'))
})

test('values that this machine knows are looked up for the profile in the command line', () => {
  expect(offered('-p', 'ac')).toEqual(wanted('profile', 'ac'))
  expect(offered('verify', '--profile=ac')).toEqual(wanted('profile', 'ac', { prefix: '--profile=' }))
  expect(offered('verify', '--other-profile', '')).toEqual(wanted('profile'))
  expect(offered('-p', 'acme', 'verify', 'T1', '')).toEqual(wanted('transaction', '', { profile: 'acme' }))
  expect(offered('--profile=acme', 'verify', '')).toEqual(wanted('transaction', '', { profile: 'acme' }))
  // The value of another option, or a profile without one, names no profile.
  expect(offered('verify', '--state', 'acme', '')).toEqual(wanted('transaction'))
  expect(offered('-p', 'acme', 'verify', '--profile', 'beta', '')).toEqual(
    wanted('transaction', '', { profile: 'beta' }),
  )
  expect(offered('verify', '--pre-approve-id', 'P')).toEqual(wanted('pre-approval', 'P'))
  expect(offered('explain', 'ERR')).toEqual(wanted('code', 'ERR'))
  expect(offered('api', 'D')).toEqual(wanted('method', 'D'))
  expect(offered('api', 'GET', '/p')).toEqual(wanted('path', '/p'))
})

test('each argument is completed at its position, and a word after the last argument is not completed', () => {
  expect(offered('shells', 'f')).toEqual(['fish'])
  expect(offered('shells', 'fish', '')).toEqual([])
  expect(offered('show', '')).toEqual([])
  expect(offered('show', 'x', 'P')).toEqual(wanted('pre-approval', 'P'))
  expect(offered('explain', 'X', '')).toEqual([])
  // A list goes on.
  expect(offered('verify', 'T1', 'T2', 'T')).toEqual(wanted('transaction', 'T'))
})

test('the name of a profile is completed only if the profile must already exist', () => {
  expect(offered('profiles', 'use', 'a')).toEqual(wanted('profile', 'a'))
  expect(offered('profiles', 'use', 'a', '')).toEqual([])
  expect(offered('profiles', 'add', 'a')).toEqual([])
  // The name of something else is not that of a profile.
  expect(offered('named', 'a')).toEqual([])
})
