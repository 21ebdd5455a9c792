// Terminal output and prompts. Texts are escaped, so that names or responses cannot send control sequences.
import { createInterface } from 'node:readline/promises'
import type { Interface } from 'node:readline/promises'
import { addAbortSignal, Writable } from 'node:stream'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export type Role = 'good' | 'bad' | 'dim' | 'strong'
export interface Span {
  readonly role: Role
  readonly text: string
}
export type Line = string | readonly (string | Span)[]

export interface Terminal {
  /** A command's result, to standard output. */
  print(line: Line): void
  /** Progress and errors, to standard error. */
  printStatus(line: Line): void
  readonly isInteractive: boolean
  readonly canAsk: boolean
  /** Returns an empty text after Ctrl+D. */
  ask(question: string, options?: { hidden: boolean }): Promise<string>
  /** Rejects when the tool is stopped. */
  readInput(): Promise<Uint8Array>
}

/** ANSI codes. */
const CODES: Record<Role, string> = { good: '32', bad: '31', dim: '2', strong: '1' }

export function span(role: Role, text: string): Span {
  return { role, text }
}

type Input = Readable & { readonly isTTY?: boolean }
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }
interface Streams {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
}

export interface TerminalOptions {
  readonly colors: boolean
  /** Stops the tool. During a prompt, Ctrl+C sends no signal to the process, so the prompt aborts this controller. */
  readonly stopping: AbortController
}

export function createTerminal({ stdin, stdout, stderr }: Streams, options: TerminalOptions): Terminal {
  const { colors, stopping } = options
  const write = (stream: Output, line: Line) =>
    stream.write(`${toText(line, colors && stream.isTTY === true)}\n`)
  return {
    print: (line) => void write(stdout, line),
    printStatus: (line) => void write(stderr, line),
    isInteractive: stderr.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    async ask(question, { hidden } = { hidden: false }) {
      // Readline echoes typed text, so a hidden prompt gets an output that discards the text.
      const discarded = new Writable({ write: (_chunk, _encoding, done) => done() })
      const reader = createInterface({ input: stdin, output: hidden ? discarded : stderr, terminal: true })
      reader.once('SIGINT', () => stopping.abort())
      if (hidden) stderr.write(`${question} `)
      try {
        return (await readAnswer(reader, `${question} `, stopping.signal)).trim()
      } finally {
        reader.close()
        if (hidden) stderr.write('\n')
      }
    },
    // An input that stays open would keep the tool running, so a stopped tool also closes its input.
    readInput: () => buffer(addAbortSignal(stopping.signal, stdin)),
  }
}

/** After Ctrl+D some versions of Node leave the question pending, so the event `close` resolves the promise too. */
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
      if (typeof piece === 'string') return escapeControls(piece)
      const plain = escapeControls(piece.text)
      return colors && plain !== '' ? `\u001B[${CODES[piece.role]}m${plain}\u001B[0m` : plain
    })
    .join('')
}

/** Escapes control and format characters, such as those that change the text direction. `\n` and `\t` become spaces. */
export function escapeControls(raw: string): string {
  return raw.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? ' ' : char.split('').map(toEscape).join(''),
  )
}

// JSON has the same escapes, so an escaped line of JSON keeps its meaning.
function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

export function toTable(rows: readonly (readonly (string | Span)[])[]): Line[] {
  const readText = (piece: string | Span) => (typeof piece === 'string' ? piece : piece.text)
  const widths: number[] = []
  for (const row of rows) {
    for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, readText(cell).length)
  }
  return rows.map((row) =>
    row.flatMap((cell, n) => {
      const isLast = n === row.length - 1
      return isLast ? [cell] : [cell, ' '.repeat((widths[n] ?? 0) - readText(cell).length + 2)]
    }),
  )
}
