#!/usr/bin/env node
'use strict'

// This file uses only old syntax, so that very old versions of Node can run it and print which version is needed. It
// answers `--version`, `--help` and completion with texts that the build prepared, which is faster than loading the
// program.

var fs = require('fs')
var path = require('path')

var NEEDED = '24.5'
var root = path.dirname(__dirname)
// `path.join` looks at each character, and V8 would begin to optimize it, which takes longer than the rest of a help text.
var dist = root + '/dist/'
var built = dist + 'main.cjs'

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
  var message =
    'error: bnpl needs Node.js ' +
    NEEDED +
    ' or newer, and this is ' +
    found +
    '. Install it from https://nodejs.org or with your version manager, for instance: nvm install ' +
    parseInt(NEEDED, 10) +
    '\n'
  try {
    // In one line, because a call over several lines would end with a comma, which very old versions cannot read.
    fs.writeSync(2, message)
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
  if (tag === 'en' || fs.existsSync(dist + 'texts/' + tag + '.txt')) return tag
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
  if (chosen !== 'en' && names.length === 0) return lineFor(names, 'texts/' + chosen + '-help.ndjson')[1]
  var english = lineFor(names, 'help.ndjson')
  if (english === undefined || chosen === 'en') return english && english[1]
  var steps = lineFor(names, 'texts/' + chosen + '-help.ndjson')
  var texts = textsIn(chosen)
  try {
    return translated(english[1], steps.slice(2), steps[1], textsByNumber(texts))
  } finally {
    texts.close()
  }
}

/** Returns the line of a file that begins with the names of a command. */
function lineFor(names, file) {
  var bytes = fs.readFileSync(dist + file)
  var start = '["' + names.join(' ') + '",'
  var from = names.length === 0 ? 0 : bytes.indexOf('\n' + start) + 1
  if (from === 0 && names.length > 0) return
  return JSON.parse(bytes.toString('latin1', from, bytes.indexOf('\n', from)))
}

/**
 * Returns an English help text in another language. `steps` says for each of its blocks what to do, as `scripts/translated-help.ts` explains.
 * Contains no regular expression, because compiling those would take longer than all the rest.
 * @param column where descriptions begin; 0 if it is the same as in English
 * @param textAt returns a text of the language by its number
 */
function translated(english, steps, column, textAt) {
  var names = ['Usage:', '[options]', '[command]', '<command>', 'choices:', 'default:']
  var number = 0
  var at = 0
  return english.split('\n\n').map(section).join('\n\n')

  function section(text) {
    var made = ''
    var from = 0
    var end
    // The items of a list begin after two spaces.
    for (end = text.indexOf('\n  '); end !== -1; end = text.indexOf('\n  ', end + 1)) {
      if (text.charAt(end + 3) === ' ') continue
      made += block(text.slice(from, end)) + '\n'
      from = end + 1
    }
    return made + block(text.slice(from))
  }

  function block(text) {
    var step = steps[at++]
    if (!step) return text
    if (step === true) return named(text)
    if (typeof step === 'string') return step
    if (step.length > 1) return step.map(textOf).map(paragraph).join('\n')
    var about = aboutAt(text)
    var before = text.slice(0, about)
    if (column > 0 && about > 4) before = inColumn(before)
    var whole = step.length === 1 ? textOf(step[0]) + added(text) : textOf(step)
    return before + broken(whole, 80 - before.length, '\n' + ' '.repeat(before.length))
  }

  /** Returns where the description of an item begins. */
  function aboutAt(text) {
    if (text.charAt(0) !== ' ') return 0
    if (text.charAt(2) === '#') return 4
    var end = text.indexOf('  ', 3)
    var line = text.indexOf('\n')
    if (end === -1 || (line !== -1 && line < end)) return 2
    while (text.charAt(end) === ' ') end++
    return end
  }

  /** Returns what commander added to a description: the choices, or the default. */
  function added(text) {
    var from = Math.max(text.lastIndexOf('(choices:'), text.lastIndexOf('(default:'))
    return ' ' + named(text.slice(from).split('\n').map(trimmed).join(' '))
  }

  function trimmed(line) {
    return line.trim()
  }

  function named(text) {
    return names.reduce(function (made, name, i) {
      return made.indexOf(name) === -1 ? made : made.split(name).join(textAt(i))
    }, text)
  }

  function textOf(step) {
    if (typeof step === 'string') return step
    if (step < 0) return textAt(-step)
    number += step
    return textAt(number)
  }

  function inColumn(term) {
    var name = term.slice(0, 2) + (term.charAt(2) === '-' ? term.trim() : named(term.trim()))
    return name + ' '.repeat(Math.max(0, column - name.length))
  }

  function paragraph(text) {
    return broken(text, 80, '\n')
  }

  function broken(text, width, gap) {
    var made = ''
    var from = 0
    var end
    while (text.length - from > width) {
      end = text.lastIndexOf(' ', from + width)
      if (end < from) end = text.indexOf(' ', from)
      if (end === -1) break
      made += text.slice(from, end) + gap
      from = end + 1
    }
    return made + text.slice(from)
  }
}

function wordsFor(words) {
  var shell = words[0]
  // The script of PowerShell passes one word, and no --, which bnpl.ps1 would remove.
  var given = shell === 'powershell' ? words.slice(1) : words.slice(2)
  if (shell === 'powershell' ? given.length !== 1 : words[1] !== '--' || !/^(bash|zsh|fish)$/.test(shell)) return
  var chosen = language()
  if (chosen === undefined) return
  var completion = require(dist + 'prepared-completion.cjs')
  var texts = textsIn(chosen)
  try {
    return completion.preparedLines(JSON.parse(prepared('completions.json')), shell, given, texts)
  } finally {
    if (texts) texts.close()
  }
}

/**
 * Returns the texts of a language, as `src/language/packing.ts` reads them; undefined for English. Throws if the file is not whole: then the
 * program answers, in English.
 */
function textsIn(chosen) {
  if (chosen === 'en') return
  var file = fs.openSync(dist + 'texts/' + chosen + '.txt', 'r')
  var bytes = Buffer.alloc(0)
  var texts = {
    slice: function (from, to) {
      var length = Math.max(0, to - from) || 0
      if (bytes.length < length) bytes = Buffer.allocUnsafe(length)
      return bytes.toString('latin1', 0, fs.readSync(file, bytes, 0, length, from))
    },
    close: function () {
      fs.closeSync(file)
    },
  }
  texts.places = texts.slice(0, 1024)
  var end = placeIn(texts.places, placeIn(texts.places, 0) / 4 - 2)
  // The last byte is there, and nothing behind it.
  if (texts.slice(end - 1, end + 1) === '\n') return texts
  texts.close()
  throw new Error('the texts are not whole')
}

/** Returns the place of a part of the texts. */
function placeIn(places, part) {
  return parseInt(places.substr(part * 4, 4), 36)
}

/** Returns a function that returns a text of a language by its number. */
function textsByNumber(texts) {
  var places = texts.places
  var blocks = []
  return function (number) {
    var block = Math.floor(number / 64)
    if (blocks[block] === undefined)
      blocks[block] = texts.slice(placeIn(places, block + 36), placeIn(places, block + 37)).split('\n')
    return JSON.parse('"' + blocks[block][number % 64] + '"')
  }
}

function isName(word) {
  return /^[a-z]+(-[a-z]+)*$/.test(word)
}

function prepared(name, encoding) {
  return fs.readFileSync(dist + name, encoding || 'utf8')
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
