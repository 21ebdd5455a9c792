// A JSON parser that refuses deep nesting, keys that could change a prototype, and duplicate keys. From an object with
// duplicate keys, two parsers could read different values.
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue
}

export type StrictJsonProblem = 'malformed' | 'duplicate_key' | 'too_deep' | 'forbidden_key'
export type JsonPath = readonly (string | number)[]

const SENTENCES: Record<StrictJsonProblem, string> = {
  malformed: 'The text is not JSON.',
  duplicate_key: 'An object in the JSON names the same key twice.',
  too_deep: 'The JSON is nested too deeply.',
  forbidden_key: 'The JSON holds a key that could change the prototype of an object.',
}

/** The message does not quote the JSON text, and the error has no cause that could quote it. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError'
  readonly problem: StrictJsonProblem
  readonly path: JsonPath

  constructor(problem: StrictJsonProblem, path: JsonPath) {
    super(SENTENCES[problem])
    this.problem = problem
    this.path = path
  }
}

/** An open object or array. `keys` is null for an array. `at` is the key or index of the current member. */
interface Frame {
  readonly keys: Set<string> | null
  at: string | number
}

// With ignoreBOM, a byte order mark stays in the text, and JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A scalar has depth 0, `{}` has depth 1. */
export function parseStrictJson(text: string, options: { readonly maxDepth: number }): JsonValue {
  // The scan comes first, so that JSON.parse gets no text that is nested too deeply.
  scanMembers(text, options.maxDepth)
  return parseOrRefuse(text, []) as JsonValue
}

/** Null: the bytes are not UTF-8, or not an object that parseStrictJson accepts. */
export function findJsonObject(bytes: Uint8Array, options: { readonly maxDepth: number }): JsonObject | null {
  try {
    const value = parseStrictJson(utf8.decode(bytes), options)
    return isJsonObject(value) ? value : null
  } catch (error) {
    // A TypeError means that the bytes are not UTF-8.
    if (error instanceof StrictJsonError || error instanceof TypeError) return null
    throw error
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseOrRefuse(text: string, path: JsonPath): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The engine's error is not passed on, because its message quotes the text.
    throw new StrictJsonError('malformed', path)
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

// Reads only brackets, commas and strings. This finds every key of valid JSON. JSON.parse refuses invalid JSON later.
function scanMembers(text: string, maxDepth: number): void {
  const frames: Frame[] = []
  let top: Frame | undefined
  let isKeyNext = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === QUOTE) {
      const end = findStringEnd(text, i)
      if (isKeyNext && top?.keys) checkKey(frames, top, top.keys, text.slice(i, end + 1))
      isKeyNext = false
      i = end
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      // A limit of NaN refuses every object and array.
      if (!(frames.length < maxDepth)) throw new StrictJsonError('too_deep', toPath(frames))
      top = char === OPEN_OBJECT ? { keys: new Set(), at: '' } : { keys: null, at: 0 }
      frames.push(top)
      isKeyNext = char === OPEN_OBJECT
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
      frames.pop()
      top = frames.at(-1)
      isKeyNext = false
    } else if (char === COMMA && top) {
      isKeyNext = top.keys !== null
      if (typeof top.at === 'number') top.at += 1
    }
  }
}

function findStringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === QUOTE) return i
    if (char === BACKSLASH) i += 1
  }
  return text.length
}

function checkKey(frames: readonly Frame[], top: Frame, keys: Set<string>, quoted: string): void {
  // "a" and "\u0061" are the same key.
  const key = quoted.includes('\\') ? String(parseOrRefuse(quoted, toPath(frames))) : quoted.slice(1, -1)
  top.at = key
  if (keys.has(key)) throw new StrictJsonError('duplicate_key', toPath(frames))
  keys.add(key)
  const holder = frames.at(-2)
  const isInConstructor = holder !== undefined && holder.keys !== null && holder.at === 'constructor'
  if (key === '__proto__' || (key === 'prototype' && isInConstructor)) {
    throw new StrictJsonError('forbidden_key', toPath(frames))
  }
}

function toPath(frames: readonly Frame[]): JsonPath {
  return frames.map((frame) => frame.at)
}
