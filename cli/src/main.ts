#!/usr/bin/env node
// The merchant's command line tool. Signals and the exit code live here: 0 done, 1 not done, 2 wrongly called, 130 stopped
// by Ctrl+C.
import process from 'node:process'
import { readEnvironment } from './environment.ts'
import { run } from './run.ts'
import { createTerminal } from './terminal.ts'

const STOPPED = 130

const stopping = new AbortController()
process.once('SIGINT', () => {
  stopping.abort()
  // Whoever presses it twice does not want to wait for anything.
  process.once('SIGINT', () => process.exit(STOPPED))
})

// Whoever reads our lines may stop in the middle, as head does.
process.stdout.on('error', () => process.exit())

const environment = readEnvironment()
const terminal = createTerminal(process, { colors: !environment.noColor, stopping })
const code = await run(process.argv.slice(2), { environment, terminal, signal: stopping.signal })
process.exitCode = stopping.signal.aborted ? STOPPED : code
