import { createInterface } from 'node:readline/promises'

/** Null: there is no terminal, so nobody can confirm. */
export async function confirmPrompt(
  text: string,
  input = process.stdin,
  output = process.stderr,
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
