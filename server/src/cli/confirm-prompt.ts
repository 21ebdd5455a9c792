import { createInterface } from 'node:readline/promises'
import type { Interface } from 'node:readline/promises'

/** Null: there is no terminal, so nobody can confirm. */
export async function confirmPrompt(
  text: string,
  input: NodeJS.ReadableStream & { isTTY?: boolean } = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<boolean | null> {
  if (!input.isTTY) return null
  const lines = createInterface({ input, output })
  try {
    output.write(`${text}\n`)
    return (await readReply(lines, 'Go on? Type yes: ')).trim() === 'yes'
  } finally {
    lines.close()
  }
}

/** Returns '' if Ctrl+C, Ctrl+D or the end of the input closes the interface. */
function readReply(lines: Interface, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.once('close', () => resolve(''))
    lines.question(question).then(resolve, reject)
  })
}
