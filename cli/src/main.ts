#!/usr/bin/env node
// The merchant's command line tool. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 stopped by
// Ctrl+C.
import process from 'node:process'
import { readEnvironment } from './environment.ts'
import { run } from './run.ts'
import { createTerminal } from './terminal.ts'

const EXIT_CODE_STOPPED = 130

const stopping = new AbortController()
process.once('SIGINT', () => {
  stopping.abort()
  // A second Ctrl+C exits at once.
  process.once('SIGINT', () => process.exit(EXIT_CODE_STOPPED))
})

// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => process.exit())

const environment = readEnvironment()
const terminal = createTerminal(process, { colors: !environment.noColor, stopping })
const code = await run(process.argv.slice(2), { environment, terminal, signal: stopping.signal })
process.exitCode = stopping.signal.aborted ? EXIT_CODE_STOPPED : code
