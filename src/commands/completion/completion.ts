import { type Define, examples } from '../command.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

type Shell = (typeof SHELLS)[number]

/**
 * The script that each shell loads. It runs `bnpl __complete` and offers the printed lines, so the program decides
 * what can follow.
 */
export const SCRIPTS: Record<Shell, string> = {
  bash: `
# bash completion for bnpl
_bnpl() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default ;;
      :dirs) compopt -o dirnames ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
}
complete -F _bnpl bnpl
`,
  zsh: `
#compdef bnpl
# zsh completion for bnpl
_bnpl() {
  local line
  local -a found
  for line in "\${(@f)$(\${(Q)words[1]/#\\~/$HOME} __complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
    case $line in
      ('') ;;
      (:files) _files ;;
      (:dirs) _files -/ ;;
      (*$'\\t'*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      (*) found+=("\${line//:/\\\\:}") ;;
    esac
  done
  (( $#found )) && _describe -V bnpl found
}
if [[ $funcstack[1] == _bnpl ]]; then _bnpl "$@"; else compdef _bnpl bnpl; fi
`,
  fish: `
# fish completion for bnpl
function __bnpl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] __complete fish -- $words[2..-1] "$current" 2>/dev/null </dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':dirs'
                __fish_complete_directories "$current" ''
            case '*'
                echo $line
        end
    end
end
complete -c bnpl -f -a '(__bnpl_complete)'
`,
  // The words are passed in base64, because cmd.exe, which runs bnpl.cmd, would otherwise run what stands after `&` in a typed word, and
  // because PowerShell 5.1 drops empty arguments. An empty result stops PowerShell from offering files.
  powershell: `
# PowerShell completion for bnpl
Register-ArgumentCompleter -Native -CommandName @('bnpl', 'bnpl.cmd', 'bnpl.ps1', 'bnpl.exe') -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $program = $commandAst.GetCommandName()
  $words = @()
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $length = [Math]::Min($element.Extent.Text.Length, $cursorPosition - $element.Extent.StartOffset)
    if ($length -gt 0) { $words += $element.Extent.Text.Substring(0, $length).Trim([char[]]"'\`"") }
  }
  if ($wordToComplete -eq '') { $words += '' }
  $typed = [string]$words[-1]
  $given = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes(($words -join "\`n")))
  $encoding = [Console]::OutputEncoding
  try {
    [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding
    $lines = @(& $program __complete powershell $given 2>$null)
  } finally {
    [Console]::OutputEncoding = $encoding
  }
  if ($lines.Count -eq 0) { return '' }
  foreach ($line in $lines) {
    if ($line -eq ':files' -or $line -eq ':dirs') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($typed) |
        Where-Object { $line -eq ':files' -or $_.ResultType -eq 'ProviderContainer' }
    } else {
      $value, $about = $line -split "\`t", 2
      if (-not $about) { $about = $value }
      $text = $value
      if ($value -match '[@,]') { $text = "'$value'" }
      New-Object System.Management.Automation.CompletionResult $text, $value, 'ParameterValue', $about
    }
  }
}
`,
}

/** `bnpl completion`: prints the script of a shell. */
export const define: Define = (command, act) => {
  command.addArgument(command.createArgument('<shell>', 'the shell you use').choices(SHELLS)).action(
    act((context, _, shell) => {
      const script = SCRIPTS[shell].trim()
      return context.output.result({ shell, script }, () => script)
    }),
  )
  examples(command, [
    [
      'bash (with its completion package)',
      'mkdir -p ~/.local/share/bash-completion/completions && bnpl completion bash > ~/.local/share/bash-completion/completions/bnpl',
    ],
    ['zsh, into a folder of $fpath', 'mkdir -p ~/.zsh/completions && bnpl completion zsh > ~/.zsh/completions/_bnpl'],
    ['fish', 'mkdir -p ~/.config/fish/completions && bnpl completion fish > ~/.config/fish/completions/bnpl.fish'],
    ['bash, only for this session', 'source <(bnpl completion bash)'],
    ['PowerShell, in the file $PROFILE', 'bnpl completion powershell | Out-String | Invoke-Expression'],
  ])
}
