// Tokenizes TypeScript and JavaScript, so that rules can tell code from text. TypeScript 7 has no stable parser API, and the
// rules need only words, punctuators and literals. In JSX the text between tags is tokenized like code; another rule forbids
// such text. If code cannot be tokenized, an error names the line.
export type Token = {
  kind: 'word' | 'number' | 'string' | 'template' | 'regex' | 'punct' | 'comment'
  /**
   * Strings and templates have no quotes here. In the text of a template, `${}` replaces each substitution and keeps only
   * its line breaks. The tokens of the substitution follow, between `${` and `}`.
   */
  text: string
  line: number
  start: number
}

export class UnreadableSource extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const SPACE = /\s+/y
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const HASHBANG = /#![^\n]*/y
const WORD = /[\p{L}_$#@][\p{L}\p{N}_$]*/uy
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
// `</` is one token, because its slash does not start a regular expression.
const PUNCT = /=>|\?\.|\.\.\.|<\/(?=[\w>])|[^\s\w]/y

/** After these words a slash starts a regular expression. After any other word it is a division. */
const BEFORE_REGEX = new Set(
  'return typeof case in of delete void throw new else do await yield instanceof'.split(' '),
)

type Position = { source: string; at: number; line: number; last: Token | null; tokens: Token[] }

export function tokenize(source: string): Token[] {
  const position: Position = { source, at: 0, line: 1, last: null, tokens: [] }
  takeCode(position, false)
  return position.tokens
}

/** Reads tokens up to the end of the source or, inside a template, up to the brace that closes the substitution. */
function takeCode(position: Position, insideTemplate: boolean): void {
  let depth = 0
  while (position.at < position.source.length) {
    const next = position.source[position.at]
    if (insideTemplate && next === '}' && depth === 0) return
    if (next === '{') depth += 1
    if (next === '}') depth -= 1
    takeOne(position)
  }
  if (insideTemplate) throw new UnreadableSource(position.line, 'a substitution in a template has no end')
}

function takeOne(position: Position): void {
  const space = match(position, SPACE)
  if (space !== null) return skip(position, space)
  const comment = (position.at === 0 ? match(position, HASHBANG) : null) ?? match(position, COMMENT)
  if (comment !== null) return take(position, 'comment', comment)
  if (position.source[position.at] === '`') return takeTemplate(position)
  const text = match(position, STRING)
  if (text !== null) return take(position, 'string', text, text.slice(1, -1))
  const regex = mayOpenRegex(position.last) ? match(position, REGEX) : null
  if (regex !== null) return take(position, 'regex', regex)
  const word = match(position, WORD)
  if (word !== null) return take(position, 'word', word)
  const number = match(position, NUMBER)
  if (number !== null) return take(position, 'number', number)
  const punctuator = match(position, PUNCT)
  if (punctuator === null) throw new UnreadableSource(position.line, 'no token can begin with this character')
  if (punctuator === "'" || punctuator === '"')
    throw new UnreadableSource(position.line, 'a string has no end on its line')
  take(position, 'punct', punctuator)
}

function takeTemplate(position: Position): void {
  const token: Token = { kind: 'template', text: '', line: position.line, start: position.at }
  position.tokens.push(token)
  skip(position, '`')
  while (position.source[position.at] !== '`') {
    if (position.at >= position.source.length) throw new UnreadableSource(token.line, 'a template has no end')
    if (position.source.startsWith('${', position.at)) {
      const openedOn = position.line
      take(position, 'punct', '${')
      takeCode(position, true)
      take(position, 'punct', '}')
      token.text += '${' + '\n'.repeat(position.line - openedOn) + '}'
    } else {
      const escaped = position.source[position.at] === '\\'
      const raw = position.source.slice(position.at, position.at + (escaped ? 2 : 1))
      token.text += raw
      skip(position, raw)
    }
  }
  skip(position, '`')
  position.last = token
}

function take(position: Position, kind: Token['kind'], raw: string, text = raw): void {
  const token = { kind, text, line: position.line, start: position.at }
  position.tokens.push(token)
  if (kind !== 'comment') position.last = token
  skip(position, raw)
}

function skip(position: Position, raw: string): void {
  position.at += raw.length
  position.line += raw.split('\n').length - 1
}

function match(position: Position, pattern: RegExp): string | null {
  pattern.lastIndex = position.at
  return pattern.exec(position.source)?.[0] ?? null
}

function mayOpenRegex(last: Token | null): boolean {
  if (last === null) return true
  if (last.kind === 'punct') return !')]}'.includes(last.text)
  return last.kind === 'word' && BEFORE_REGEX.has(last.text)
}

/** The index of the bracket that closes the bracket at `open`, or the last index if no bracket closes it. */
export function findClosingIndex(tokens: readonly Token[], open: number): number {
  const opener = tokens[open]?.text ?? ''
  const closer = { '(': ')', '[': ']', '{': '}', '<': '>', '${': '}' }[opener]
  let depth = 0
  for (let i = open; i < tokens.length; i += 1) {
    const token = tokens[i]
    if (token?.kind !== 'punct') continue
    // Blocks and substitutions end with the same brace, so both kinds of openers count.
    if (token.text === opener || (closer === '}' && (token.text === '{' || token.text === '${'))) depth += 1
    if (token.text === closer) depth -= 1
    if (depth === 0) return i
  }
  return tokens.length - 1
}

/** Whether the tokens from `index` on are `texts`. A literal never matches. */
export function matchesAt(tokens: readonly Token[], index: number, ...texts: string[]): boolean {
  return texts.every((text, offset) => {
    const token = tokens[index + offset]
    return (token?.kind === 'word' || token?.kind === 'punct') && token.text === text
  })
}
