import { createInterface } from 'node:readline/promises'

/** A person at a terminal is asked; a program that called has decided already. */
export async function askToGoOn(text = '', input = process.stdin, output = process.stderr): Promise<boolean> {
  if (!input.isTTY) return true
  const lines = createInterface({ input, output })
  try {
    if (text !== '') output.write(`${text}\n`)
    return (await lines.question('Go on? Type yes: ')).trim() === 'yes'
  } finally {
    lines.close()
  }
}
