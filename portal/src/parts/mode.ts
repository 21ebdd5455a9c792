// Test or live, as the address says. The address of the overview always has a mode (see the router). On any other page, an
// address without a mode means live.
import { useSearch } from '@tanstack/react-router'
import type { Mode } from '@pazar/contract'
import { pageData } from '../api/page-data.ts'
import { words } from '../ui/language.ts'
import { parseModeSearch } from './search.ts'

export function useMode(): Mode {
  return parseModeSearch(useSearch({ strict: false })).mode ?? 'live'
}

/** Whether payments of this mode move money. */
export function movesMoney(mode: Mode): boolean {
  return mode === 'live' && !pageData.liveIsSandbox
}

/** The name of the mode. It is also part of the window's title, for people with many tabs. */
export function toModeName(mode: Mode): string {
  const { frame } = words()
  if (mode === 'test') return frame.test
  return movesMoney(mode) ? frame.live : frame.liveSandbox
}
