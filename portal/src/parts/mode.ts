// The mode of a page is in its URL. The default is live.
import { useSearch } from '@tanstack/react-router'
import type { Mode } from '@pazar/contract'
import { pageData } from '../api/page-data.ts'
import { words } from '../ui/language.ts'
import { parseModeSearch } from './search.ts'
import type { ListSearch } from './search.ts'

export function useMode(): Mode {
  return parseModeSearch(useSearch({ strict: false })).mode ?? 'live'
}

/** The filters stay when the mode changes. Rows and page numbers of one mode mean nothing in the other mode. */
export function toSearchIn(mode: Mode) {
  return ({ page: _page, row: _row, ...rest }: ListSearch) => ({ ...rest, mode })
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
