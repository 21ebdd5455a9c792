// The mode of a page is in its address. The default is live.
import { useSearch } from '@tanstack/react-router'
import type { Mode } from '@pazar/contract'
import { pageData } from '../api/page-data.ts'
import { words } from '../ui/language.ts'
import { parseModeSearch } from './search.ts'

export function useMode(): Mode {
  return parseModeSearch(useSearch({ strict: false })).mode ?? 'live'
}

/** Live payments may go to a sandbox. */
export function movesMoney(mode: Mode): boolean {
  return mode === 'live' && !pageData.liveIsSandbox
}

/** The window's title contains this name too, for people with many tabs. */
export function toModeName(mode: Mode): string {
  const { frame } = words()
  if (mode === 'test') return frame.test
  return movesMoney(mode) ? frame.live : frame.liveSandbox
}
