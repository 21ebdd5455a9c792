// Parses query strings exactly, because signatures cover the decoded values.
import { isStorableText } from './json-body.ts'

export type QueryProblem = 'malformed_encoding' | 'duplicate_parameter' | 'invalid_text'

/** The values of each parameter. A repeated parameter has several values, so that the caller can refuse it. */
export class Query {
  readonly problem: QueryProblem | null
  readonly #values: ReadonlyMap<string, readonly string[]>
  constructor(values: ReadonlyMap<string, readonly string[]>, problem: QueryProblem | null) {
    this.#values = values
    this.problem = problem
  }
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }
  names(): string[] {
    return [...this.#values.keys()]
  }
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    // The decoder's error has no details worth keeping.
    return null
  }
}

export function parseQuery(text: string): Query {
  const values = new Map<string, string[]>()
  let problem: QueryProblem | null = null
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equalsIndex = pair.indexOf('=')
    const name = decodePart(equalsIndex < 0 ? pair : pair.slice(0, equalsIndex))
    const value = decodePart(equalsIndex < 0 ? '' : pair.slice(equalsIndex + 1))
    if (name === null || value === null) {
      problem ??= 'malformed_encoding'
      continue
    }
    if (!isStorableText(name) || !isStorableText(value)) problem ??= 'invalid_text'
    const earlier = values.get(name)
    if (earlier) earlier.push(value)
    else values.set(name, [value])
  }
  return new Query(values, problem)
}
