import { type Define, examples } from '../command.ts'
import { SCRIPTS, SHELLS } from './scripts.ts'

export const define: Define = (command, act) => {
  command.addArgument(command.createArgument('<shell>', 'the shell you use').choices(SHELLS)).action(
    act((context, _, shell) => {
      const script = SCRIPTS[shell].trim()
      return context.output.result({ shell, script }, () => script)
    }),
  )
  examples(command, [
    ['bash (with its completion package)', 'bnpl completion bash > ~/.local/share/bash-completion/completions/bnpl'],
    ['zsh, into a folder of $fpath', 'bnpl completion zsh > ~/.zsh/completions/_bnpl'],
    ['fish', 'bnpl completion fish > ~/.config/fish/completions/bnpl.fish'],
    ['only for this bash', 'source <(bnpl completion bash)'],
  ])
}
