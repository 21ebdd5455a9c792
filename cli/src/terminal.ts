// What is written and what is asked. Texts of others (names, customIds, answers of shops) pass through here on their way
// to the screen, and nothing in them may steer the terminal: only a span's own colour does.
import { createInterface } from 'node:readline/promises'
import type { Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

export type Role = 'good' | 'bad' | 'dim' | 'strong'
export interface Span {
  readonly role: Role
  readonly text: string
}
/** A line, in pieces; a piece without a role has the terminal's own colour. */
export type Line = string | readonly (string | Span)[]

export interface Terminal {
  /** The answer of a command, to standard output. */
  out(line: Line): void
  /** What is said beside it, to standard error. */
  note(line: Line): void
  /** Does somebody look on while it takes its time? */
  readonly isWatched: boolean
  /** Can somebody be asked? */
  readonly canAsk: boolean
  /** Without an answer (Ctrl+D) it is empty. */
  ask(question: string, options?: { hidden: boolean }): Promise<string>
  readInput(): Promise<string>
}

const CODES: Record<Role, string> = { good: '32', bad: '31', dim: '2', strong: '1' }

export function span(role: Role, text: string): Span {
  return { role, text }
}

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }
interface Streams {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
}

export interface TerminalOptions {
  readonly colors: boolean
  /** While a question is open the keyboard is ours, Ctrl+C included. */
  readonly stopping: AbortController
}

export function createTerminal({ stdin, stdout, stderr }: Streams, options: TerminalOptions): Terminal {
  const { colors, stopping } = options
  const write = (stream: Output, line: Line) =>
    stream.write(`${toText(line, colors && stream.isTTY === true)}\n`)
  return {
    out: (line) => void write(stdout, line),
    note: (line) => void write(stderr, line),
    isWatched: stderr.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    async ask(question, { hidden } = { hidden: false }) {
      // What is typed is echoed by this output and by nothing else.
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
      const reader = createInterface({ input: stdin, output: hidden ? nowhere : stderr, terminal: true })
      reader.once('SIGINT', () => stopping.abort())
      if (hidden) stderr.write(`${question} `)
      try {
        return (await readAnswer(reader, `${question} `, stopping.signal)).trim()
      } finally {
        reader.close()
        if (hidden) stderr.write('\n')
      }
    },
    readInput: () => text(stdin),
  }
}

/** Ctrl+D closes the reader, and only then does Node reject the question or leave it open, depending on its version. */
function readAnswer(reader: Interface, question: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    reader.once('close', () => resolve(''))
    reader.question(question, { signal }).then(resolve, reject)
  })
}

export function toText(line: Line, colors: boolean): string {
  const pieces = typeof line === 'string' ? [line] : line
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return toPlain(piece)
      const plain = toPlain(piece.text)
      return colors && plain !== '' ? `\u001B[${CODES[piece.role]}m${plain}\u001B[0m` : plain
    })
    .join('')
}

/** Control characters, and those that turn the direction of a line round, are shown as what they are. */
export function toPlain(raw: string): string {
  return raw.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? ' ' : char.split('').map(toEscape).join(''),
  )
}

// As JSON writes it, so that a line of JSON stays what it is.
function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Columns side by side. */
export function toTable(rows: readonly (readonly (string | Span)[])[]): Line[] {
  const textOf = (piece: string | Span) => (typeof piece === 'string' ? piece : piece.text)
  const widths: number[] = []
  for (const row of rows) {
    for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, textOf(cell).length)
  }
  return rows.map((row) =>
    row.flatMap((cell, n) => {
      const isLast = n === row.length - 1
      return isLast ? [cell] : [cell, ' '.repeat((widths[n] ?? 0) - textOf(cell).length + 2)]
    }),
  )
}
