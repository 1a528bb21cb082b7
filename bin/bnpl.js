#!/usr/bin/env node
'use strict'

// This file uses only old syntax, so that very old versions of Node can run it and print which version is needed. It
// answers `--version`, `--help` and completion with texts that the build prepared, which is faster than loading the
// program.

var fs = require('fs')
var path = require('path')

var NEEDED = '24.5'
var root = path.dirname(__dirname)
var built = path.join(root, 'dist', 'main.cjs')

main()

function main() {
  if (isOld(process.versions.node)) return tooOld()
  var words = process.argv.slice(2)
  var text = preparedFor(words)
  if (text !== undefined) return print(text)
  if (fs.existsSync(built)) {
    cacheCompiledCode()
    require(built)
  } else {
    require(path.join(root, 'src', 'main.ts'))
  }
}

function isOld(version) {
  var found = version.split('.')
  var needed = NEEDED.split('.')
  return found[0] === needed[0] ? Number(found[1]) < Number(needed[1]) : Number(found[0]) < Number(needed[0])
}

function tooOld() {
  process.exitCode = 3
  var found = process.versions.node + ' (' + process.execPath + ')'
  try {
    fs.writeSync(
      2,
      'error: bnpl needs Node.js ' +
        NEEDED +
        ' or newer, and this is ' +
        found +
        '. Install it from https://nodejs.org or with your version manager, for instance: nvm install ' +
        parseInt(NEEDED, 10) +
        '\n',
    )
  } catch (_) {}
}

function preparedFor(words) {
  var last = words[words.length - 1]
  try {
    if (words.length === 1 && (last === '--version' || last === '-V')) return prepared('version.txt')
    if (words[0] === '__complete') return wordsFor(words.slice(1))
    if (words.length === 2 && words[0] === 'completion' && isName(last)) return prepared('completions/bnpl.' + last)
    if (words.length === 0) return helpFor(words)
    if (last === '--help' || last === '-h') return helpFor(words.slice(0, -1))
    if (words[0] === 'help') return helpFor(words.slice(1))
  } catch (_) {} // The prepared texts are missing, because nothing was built.
}

/** The language of the user, as `src/language/language.ts` finds it; undefined if the program must look. */
function language() {
  var env = process.env
  // The program reports a name that it does not know, and settings may name a language.
  if (env.BNPL_LANG) return known(tagOf(env.BNPL_LANG))
  if (isNamedInSettings(env)) return
  var tag = tagOf(env.LC_ALL || env.LC_MESSAGES || env.LANG || '')
  return tag === '' ? 'en' : known(tag) || 'en'
}

function known(tag) {
  if (tag === 'en' || JSON.parse(prepared('languages.json')).indexOf(tag) !== -1) return tag
}

function tagOf(locale) {
  var found = /^[a-z]{2,3}(?=$|[-_.@])/i.exec(locale)
  return found === null ? '' : found[0].toLowerCase()
}

function isNamedInSettings(env) {
  var home = env.XDG_CONFIG_HOME || path.join(env.HOME || '', '.config')
  if (process.platform === 'darwin') home = path.join(env.HOME || '', 'Library', 'Application Support')
  if (process.platform === 'win32') home = env.LOCALAPPDATA || ''
  var file = path.join(env.BNPL_CONFIG_DIR || path.join(home, 'bnpl'), 'profiles.json')
  return fs.existsSync(file) && fs.statSync(file).isFile() && /"language"/.test(fs.readFileSync(file, 'utf8'))
}

function helpFor(names) {
  var chosen = names.every(isName) ? language() : undefined
  if (chosen === undefined) return
  var all = '\n' + prepared('help.ndjson')
  var from = all.indexOf('\n["' + names.join(' ') + '",') + 1
  if (from === 0) return
  var help = JSON.parse(all.slice(from, all.indexOf('\n', from))).slice(1)
  if (chosen === 'en') return help.slice(1).join('')
  return require(path.join(root, 'dist', 'prepared-help.cjs')).preparedHelp(help, textsIn(chosen), chosen)
}

function wordsFor(words) {
  var shell = words[0]
  // The script of PowerShell passes one word, and no --, which bnpl.ps1 would remove.
  var given = shell === 'powershell' ? words.slice(1) : words.slice(2)
  if (shell === 'powershell' ? given.length !== 1 : words[1] !== '--' || !/^(bash|zsh|fish)$/.test(shell)) return
  var chosen = language()
  if (chosen === undefined) return
  var completion = require(path.join(root, 'dist', 'prepared-completion.cjs'))
  return completion.preparedLines(JSON.parse(prepared('completions.json')), shell, given, textsIn(chosen))
}

/** Returns the texts of a language, as `src/language/packing.ts` reads them; undefined for English. */
function textsIn(chosen) {
  if (chosen === 'en') return
  var bytes = fs.readFileSync(path.join(root, 'dist', 'texts', chosen + '.txt'))
  return {
    slice: function (from, to) {
      return bytes.toString('latin1', from, to)
    },
  }
}

function isName(word) {
  return /^[a-z]+(-[a-z]+)*$/.test(word)
}

function prepared(name, encoding) {
  return fs.readFileSync(path.join(root, 'dist', name), encoding || 'utf8')
}

function print(text) {
  try {
    // The console of Windows reads bytes in its own code page. Node's stream writes characters to it.
    if (process.platform === 'win32' && require('tty').isatty(1)) process.stdout.write(text)
    else writeAll(Buffer.from(text))
  } catch (error) {
    failed(error)
  }
}

function writeAll(bytes) {
  var done = 0
  while (done < bytes.length) {
    try {
      done += fs.writeSync(1, bytes, done)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      // The pipe is full. Wait 5 ms, so that its reader can empty it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function failed(error) {
  process.exitCode = error.code === 'EPIPE' ? 141 : 13
  if (error.code === 'EPIPE') return
  try {
    fs.writeSync(2, 'error: the result could not be written to stdout (' + error.code + ')\n')
  } catch (_) {}
}

/**
 * Makes Node store the compiled code in the user's cache folder. If other users could write there, the code is
 * compiled on every start.
 */
function cacheCompiledCode() {
  try {
    useCompiled(require('./cache-folder.js'))
  } catch (_) {}
}

function useCompiled(cache) {
  var folder = cache.programCache()
  if (folder !== undefined) require('module').enableCompileCache(cache.closedFolder(path.join(folder, 'compiled')))
}
