// Divides the code of samples into comments, strings, numbers, keywords and the rest, so that they get different colours.

interface Language {
  /** `comment` and `string` are sources of regular expressions. */
  comment: string | null
  string: string
  keywords: string
}

const SLASH_COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const HASH_COMMENT = String.raw`(?<![^\s;])#[^\n]*`
/** A string in quotes, on one line. It may contain escaped characters. */
const QUOTED = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
const TEMPLATE_STRING = '`(?:[^`\\\\]|\\\\[\\s\\S])*`'
const TRIPLE_QUOTED = String.raw`"""[\s\S]*?"""`

const TYPESCRIPT: Language = {
  comment: SLASH_COMMENT,
  string: `${QUOTED}|${TEMPLATE_STRING}`,
  keywords:
    'as async await break case catch class const continue default else export extends false finally for from function if import in instanceof interface let new null of readonly return switch this throw true try type typeof undefined while',
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  ts: TYPESCRIPT,
  js: TYPESCRIPT,
  php: {
    comment: `${SLASH_COMMENT}|${HASH_COMMENT}`,
    string: QUOTED,
    keywords:
      'array as catch class const declare echo else elseif exit false final finally fn for foreach function if instanceof int string bool float namespace new null private protected public readonly require require_once return static strict_types throw true try use void while',
  },
  python: {
    comment: HASH_COMMENT,
    string: `${TRIPLE_QUOTED}|${QUOTED}`,
    keywords:
      'and as async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield',
  },
  ruby: {
    comment: HASH_COMMENT,
    string: QUOTED,
    keywords:
      'and begin break case class def do else elsif end ensure false if in module next nil not or raise require require_relative rescue return self then true unless until when while yield',
  },
  go: {
    comment: SLASH_COMMENT,
    string: `${QUOTED}|${TEMPLATE_STRING}`,
    keywords:
      'break case chan const continue default defer else false for func go if import interface map nil package range return select struct switch true type var',
  },
  java: {
    comment: SLASH_COMMENT,
    string: `${TRIPLE_QUOTED}|${QUOTED}`,
    keywords:
      'boolean break byte case catch char class continue default do double else enum extends false final finally float for if implements import instanceof int interface long new null package private protected public record return static switch this throw throws true try var void while',
  },
  csharp: {
    comment: SLASH_COMMENT,
    string: QUOTED,
    keywords:
      'async await bool break byte case catch class const continue default do else enum false finally for foreach if in int interface internal is long namespace new null out private protected public readonly record return sealed static string struct switch this throw true try using var void while',
  },
  sh: {
    comment: HASH_COMMENT,
    string: QUOTED,
    keywords: 'case do done elif else esac export fi for function if in local return then while',
  },
  json: { comment: null, string: QUOTED, keywords: 'false null true' },
}

const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  typescript: 'ts',
  javascript: 'js',
  py: 'python',
  rb: 'ruby',
  cs: 'csharp',
  shell: 'sh',
}

/** The groups: comment, string, number, word. */
function toPattern({ comment, string }: Language): RegExp {
  const number = String.raw`\b\d[\d_.]*\b`
  const word = String.raw`[\p{L}_]\w*`
  return new RegExp(`(${comment ?? '(?!)'})|(${string})|(${number})|(${word})`, 'gu')
}

const tokenizers = new Map(
  Object.entries(LANGUAGES).map(([name, language]) => [
    name,
    { pattern: toPattern(language), keywords: new Set(language.keywords.split(' ')) },
  ]),
)

/** c: comment, s: string, n: number, k: keyword, null: the rest. */
export type CodeTokenKind = 'c' | 's' | 'n' | 'k' | null

export interface CodeToken {
  kind: CodeTokenKind
  text: string
}

/** In an unknown language, the code is one token. */
export function toCodeTokens(code: string, name: string): CodeToken[] {
  const tokenizer = tokenizers.get(LANGUAGE_ALIASES[name] ?? name)
  if (!tokenizer) return [{ kind: null, text: code }]
  const tokens: CodeToken[] = []
  let position = 0
  for (const match of code.matchAll(tokenizer.pattern)) {
    const [text, comment, string, number] = match
    const kind = comment ? 'c' : string ? 's' : number ? 'n' : tokenizer.keywords.has(text) ? 'k' : null
    if (kind === null) continue
    tokens.push({ kind: null, text: code.slice(position, match.index) }, { kind, text })
    position = match.index + text.length
  }
  return [...tokens, { kind: null, text: code.slice(position) }].filter(({ text }) => text !== '')
}
