// Tokenizes TypeScript and JavaScript, so that rules distinguish code from text. TypeScript 7 has no stable parser API,
// and the rules need only words, punctuators and literals. In JSX the text between tags is tokenized like code; another
// rule forbids such text. Code that cannot be tokenized is an error with its line, because it would pass every rule.
export type Token = {
  kind: 'word' | 'number' | 'string' | 'template' | 'regex' | 'punct' | 'comment'
  // A literal without its quotes. In a template each substitution is `${}` with its line breaks, and its tokens
  // follow between `${` and `}`.
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
// `</` is one token: its slash closes an element and does not start a regular expression.
const PUNCT = /=>|\?\.|\.\.\.|<\/(?=[\w>])|[^\s\w]/y

// After these words a slash starts a regular expression; after any other word it is a division.
const BEFORE_REGEX = new Set(
  'return typeof case in of delete void throw new else do await yield instanceof'.split(' '),
)

type Cut = { source: string; at: number; line: number; last: Token | null; tokens: Token[] }

export function tokenize(source: string): Token[] {
  const cut: Cut = { source, at: 0, line: 1, last: null, tokens: [] }
  takeCode(cut, false)
  return cut.tokens
}

// Runs to the end of the source, or of one substitution, whose closing brace it leaves to the template.
function takeCode(cut: Cut, insideTemplate: boolean): void {
  let depth = 0
  while (cut.at < cut.source.length) {
    const next = cut.source[cut.at]
    if (insideTemplate && next === '}' && depth === 0) return
    if (next === '{') depth += 1
    if (next === '}') depth -= 1
    takeOne(cut)
  }
  if (insideTemplate) throw new UnreadableSource(cut.line, 'a substitution in a template has no end')
}

function takeOne(cut: Cut): void {
  const space = match(cut, SPACE)
  if (space !== null) return skip(cut, space)
  const comment = (cut.at === 0 ? match(cut, HASHBANG) : null) ?? match(cut, COMMENT)
  if (comment !== null) return take(cut, 'comment', comment)
  if (cut.source[cut.at] === '`') return takeTemplate(cut)
  const text = match(cut, STRING)
  if (text !== null) return take(cut, 'string', text, text.slice(1, -1))
  const regex = mayOpenRegex(cut.last) ? match(cut, REGEX) : null
  if (regex !== null) return take(cut, 'regex', regex)
  const word = match(cut, WORD)
  if (word !== null) return take(cut, 'word', word)
  const number = match(cut, NUMBER)
  if (number !== null) return take(cut, 'number', number)
  const punctuator = match(cut, PUNCT)
  if (punctuator === null) throw new UnreadableSource(cut.line, 'a character fits no token')
  if (punctuator === "'" || punctuator === '"')
    throw new UnreadableSource(cut.line, 'a string has no end on its line')
  take(cut, 'punct', punctuator)
}

function takeTemplate(cut: Cut): void {
  const token: Token = { kind: 'template', text: '', line: cut.line, start: cut.at }
  cut.tokens.push(token)
  skip(cut, '`')
  while (cut.source[cut.at] !== '`') {
    if (cut.at >= cut.source.length) throw new UnreadableSource(token.line, 'a template has no end')
    if (cut.source.startsWith('${', cut.at)) {
      const openedOn = cut.line
      take(cut, 'punct', '${')
      takeCode(cut, true)
      take(cut, 'punct', '}')
      token.text += '${' + '\n'.repeat(cut.line - openedOn) + '}'
    } else {
      const escaped = cut.source[cut.at] === '\\'
      const raw = cut.source.slice(cut.at, cut.at + (escaped ? 2 : 1))
      token.text += raw
      skip(cut, raw)
    }
  }
  skip(cut, '`')
  cut.last = token
}

function take(cut: Cut, kind: Token['kind'], raw: string, text = raw): void {
  const token = { kind, text, line: cut.line, start: cut.at }
  cut.tokens.push(token)
  if (kind !== 'comment') cut.last = token
  skip(cut, raw)
}

function skip(cut: Cut, raw: string): void {
  cut.at += raw.length
  cut.line += raw.split('\n').length - 1
}

function match(cut: Cut, pattern: RegExp): string | null {
  pattern.lastIndex = cut.at
  return pattern.exec(cut.source)?.[0] ?? null
}

function mayOpenRegex(last: Token | null): boolean {
  if (last === null) return true
  if (last.kind === 'punct') return !')]}'.includes(last.text)
  return last.kind === 'word' && BEFORE_REGEX.has(last.text)
}

// The index of the bracket that closes the one at `open`, or the last index if none does.
export function closingIndex(tokens: readonly Token[], open: number): number {
  const opener = tokens[open]?.text ?? ''
  const closer = { '(': ')', '[': ']', '{': '}', '<': '>', '${': '}' }[opener]
  let depth = 0
  for (let i = open; i < tokens.length; i += 1) {
    const token = tokens[i]
    if (token?.kind !== 'punct') continue
    // A substitution closes with the same brace as a block, so both openers count.
    if (token.text === opener || (closer === '}' && (token.text === '{' || token.text === '${'))) depth += 1
    if (token.text === closer) depth -= 1
    if (depth === 0) return i
  }
  return tokens.length - 1
}

// Whether the tokens from `index` on are exactly `texts`; a literal never matches.
export function reads(tokens: readonly Token[], index: number, ...texts: string[]): boolean {
  return texts.every((text, offset) => {
    const token = tokens[index + offset]
    return (token?.kind === 'word' || token?.kind === 'punct') && token.text === text
  })
}
