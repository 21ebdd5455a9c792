#!/usr/bin/env node
// The merchant's command line tool. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 stopped by
// Ctrl+C.
import process from 'node:process'
import { readEnvironment } from './environment.ts'
import { run } from './run.ts'
import { createTerminal } from './terminal.ts'

const EXIT_CODE_FAILED = 1
const EXIT_CODE_STOPPED = 130

const stopping = new AbortController()
process.once('SIGINT', () => {
  stopping.abort()
  process.once('SIGINT', () => process.exit(EXIT_CODE_STOPPED))
})

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe early.
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`${error.message}\n`)
  process.exit(EXIT_CODE_FAILED)
})

const environment = readEnvironment()
const terminal = createTerminal(process, { colors: !environment.noColor, stopping })
const code = await run(process.argv.slice(2), { environment, terminal, signal: stopping.signal })
process.exitCode = stopping.signal.aborted ? EXIT_CODE_STOPPED : code
