// The settings saved by `login` and `projects --use`, in a file that only its owner can read.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CliError } from './cli-error.ts'
import type { Words } from './words.ts'

export interface Config {
  readonly baseUrl?: string
  /** Sent only to baseUrl. */
  readonly token?: string
  readonly projectId?: string
  readonly lang?: string
}

export function readConfig(file: string, words: Words): Config {
  let raw: string
  try {
    raw = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new CliError(words.problems.cannotRead(file), words.next.checkFile, { code: 'config' })
  }
  const config = findConfig(raw)
  if (config === null)
    throw new CliError(words.problems.badConfig(file), words.next.loginAgain, { code: 'config' })
  return config
}

function findConfig(raw: string): Config | null {
  try {
    const value: unknown = JSON.parse(raw)
    if (typeof value !== 'object' || value === null) return null
    const fields = ['baseUrl', 'token', 'projectId', 'lang'] as const
    const storedFields = new Map(Object.entries(value))
    if (fields.some((field) => storedFields.has(field) && typeof storedFields.get(field) !== 'string'))
      return null
    return Object.fromEntries(
      fields.filter((field) => storedFields.has(field)).map((field) => [field, storedFields.get(field)]),
    )
  } catch {
    return null
  }
}

export function writeConfig(file: string, config: Config, words: Words): void {
  // The name is random, because a killed process can leave a temporary file behind.
  const temporaryFile = `${file}.${randomUUID()}`
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    // Creates a new file, because writing to an existing file does not change its mode.
    writeFileSync(temporaryFile, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(temporaryFile, file)
  } catch {
    removeUnsaved(temporaryFile)
    throw new CliError(words.problems.cannotWrite(file), words.next.checkFile, { code: 'config' })
  }
}

function removeUnsaved(temporaryFile: string): void {
  try {
    rmSync(temporaryFile, { force: true })
  } catch {
    // writeConfig reports that the save failed. If the temporary file stays, only its owner can read it.
  }
}
