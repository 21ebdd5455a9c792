import { createInterface } from 'node:readline/promises'

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
    return (await lines.question('Go on? Type yes: ')).trim() === 'yes'
  } finally {
    lines.close()
  }
}
