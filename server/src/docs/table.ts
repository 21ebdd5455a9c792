// Tables of the guide. On a phone, rows with three or more cells become blocks, in which each cell but the first has
// the name of its column. Rows with two cells become blocks without names if the cells do not fit beside each other. Rows
// of check marks list only the columns with a check mark.
import type { Tokens } from 'marked'
import { escapeHtml } from '../lib/html.ts'

/** How many letters fit on a line of a phone. Two columns become blocks if their longest words together need more. */
const LINE_MAX = 34

/** A longer word or code in the first column would leave too narrow a column for the text beside it. */
const CODE_MAX = 17

/**
 * Returns the length of the longest part that stays on one line. A part is a word. In the first column, the code between
 * two backticks is one part too.
 */
function toLongest(cells: readonly (Tokens.TableCell | undefined)[], isFirst: boolean): number {
  const parts = cells.flatMap((cell) => {
    const text = (cell?.text ?? '').replaceAll(/\]\([^)]*\)/g, ']')
    return isFirst ? text.split(/(`[^`]*`)|[ ,]/) : text.split(/[ ,]/)
  })
  return Math.max(...parts.map((part) => part?.length ?? 0))
}

const isCheck = (text: string) => text === '✓' || text === '–'

function toKind(header: readonly Tokens.TableCell[], rows: readonly Tokens.TableCell[][]): string {
  if (rows.every((row) => row.length > 2 && row.slice(1).every(({ text }) => isCheck(text)))) return ' checks'
  if (header.length > 2) return ' blocks'
  const columns = [0, 1].map((column) =>
    toLongest(
      rows.map((row) => row[column]),
      column === 0,
    ),
  )
  const isWide = columns[0]! > CODE_MAX || columns.reduce((sum, one) => sum + one, 0) > LINE_MAX
  return isWide ? ' blocks pairs' : ''
}

export function toTable(
  header: readonly Tokens.TableCell[],
  rows: readonly Tokens.TableCell[][],
  render: (cell: Tokens.TableCell) => string,
): string {
  const head = header.map((cell) => `<th scope="col">${render(cell)}</th>`).join('')
  const body = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const label =
        column === 0 ? '' : ` data-label="${escapeHtml(header[column]?.text.replaceAll('`', '') ?? '')}"`
      return `<td${label}${cell.text === '–' ? ' class="no"' : ''}>${render(cell)}</td>`
    })
    return `<tr>${cells.join('')}</tr>\n`
  })
  return `<div class="scroll${toKind(header, rows)}" tabindex="0"><table><thead><tr>${head}</tr></thead>\n<tbody>${body.join('')}</tbody></table></div>\n`
}
