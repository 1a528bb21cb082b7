import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { sandboxTraits } from '../../domain/sandbox-accounts.ts'
import { BnplError } from '../../errors.ts'
import type { Profile } from '../../profiles/profile.ts'
import { PROFILE_SETTINGS } from '../../profiles/profile.ts'
import { profileName } from '../../profiles/resolve.ts'
import { type ProfileSetting, settingProblem } from '../../profiles/settings.ts'
import type { Learnt, Lesson } from '../../recording/learning/learn.ts'
import { refuseDryRun } from '../global-options.ts'
import { storedProfile, updateProfile } from '../profiles/change.ts'
import { learntTable, type ShownLesson } from './learnt-table.ts'

/**
 * Learns from recordings how a service answers, and prints the gaps in the specification that the recordings answer.
 * `--write` stores the suggested settings in the profile. Throws `check-failed` if there is nothing to learn from,
 * `usage` for a file that is not a recording, and the same errors as `profiles set`.
 */
export async function learnFromRecordings(
  context: Context,
  files: readonly string[],
  { write = false }: { write?: boolean | undefined },
): Promise<void> {
  const { world, output } = context
  // If the profile cannot be changed, fail before a recording is read.
  if (write) {
    refuseDryRun(context)
    storedProfile(context, undefined, await (await context.profiles()).read())
  }
  const profile = await presentProfile(context)
  const unbound = await world.boundMemory()
  const learnt = await learnFiles(context, files).finally(unbound)
  const { exchanges, deliveries } = learnt.manner.learnt
  if (exchanges + deliveries === 0)
    throw new BnplError('check-failed', 'the recordings contain no call or delivery to learn from', {
      code: 'CHECK_FAILED',
    })
  const lessons = learnt.lessons.map((lesson) => shown(lesson, profile))
  const changes = changesOf(lessons)
  const name = write && changes.length > 0 ? await store(context, changes) : undefined
  await output.result(lessons, () => learntTable(context, lessons, learnt))
  if (context.options.output !== 'table') tellUnanswered(context, learnt)
  tellChanges(context, changes, name, write)
}

/** Reads recordings line by line, and returns what they show about the service. Throws `usage` for a file that is not a recording. */
export async function learnFiles(context: Context, files: readonly string[]): Promise<Learnt> {
  const { paths } = await context.settings()
  const [{ readRecording }, { learn }] = await Promise.all([
    import('../../recording/lines.ts'),
    import('../../recording/learning/learn.ts'),
  ])
  async function* entries() {
    for (const file of files)
      for await (const { line, entry } of readRecording(resolve(context.world.cwd, file))) yield { file, line, entry }
  }
  return learn(entries(), paths)
}

async function presentProfile(context: Context): Promise<Profile | undefined> {
  const file = await (await context.profiles()).read()
  const name = profileName(context.options.profile, context.world.env, file.default)
  if (name === undefined || sandboxTraits(name.value) !== undefined) return undefined
  return Object.hasOwn(file.profiles, name.value) ? file.profiles[name.value] : undefined
}

const isSetting = (name: string): name is ProfileSetting => Object.hasOwn(PROFILE_SETTINGS, name)

function shown({ setting, ...lesson }: Lesson, profile: Profile | undefined): ShownLesson {
  if (setting === null || !isSetting(setting.name) || settingProblem(setting.name, setting.value) !== undefined)
    return { ...lesson, setting: null }
  return { ...lesson, setting: { name: setting.name, value: setting.value, before: profile?.[setting.name] ?? null } }
}

type Change = NonNullable<ShownLesson['setting']>

const changesOf = (lessons: readonly ShownLesson[]): Change[] =>
  lessons.flatMap(({ setting }) => (setting !== null && setting.value !== setting.before ? [setting] : []))

async function store(context: Context, changes: readonly Change[]): Promise<string> {
  const made = Object.fromEntries(changes.map(({ name, value }) => [name, value]))
  const { name } = await updateProfile(context, undefined, (profile) => ({ ...profile, ...made }))
  return name
}

function tellChanges({ output }: Context, changes: readonly Change[], profile: string | undefined, write: boolean) {
  for (const { name, value, before } of changes)
    if (profile !== undefined)
      output.note(
        `${name} of ${profile} is now ${value}. ${before === null ? 'It was not set before' : `It was ${before} before`}.`,
      )
  if (write && changes.length === 0)
    output.note('The profile was not changed, because no setting differs from what was learnt.')
  if (!write && changes.length > 0) {
    const what = changes.length === 1 ? '1 setting' : `${changes.length} settings`
    output.note(`To store ${what} in the profile, add: --write`)
  }
}

function tellUnanswered({ output }: Context, { unanswered }: Learnt): void {
  if (unanswered.length === 0) return
  const numbers = unanswered.map(({ gap }) => gap).join(', ')
  output.note(
    `The recordings do not answer these gaps in the specification: ${numbers}. To see what to record for each gap, run the same command without --json or -o.`,
  )
}
