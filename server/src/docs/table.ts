// Tables of the guide. On a phone, rows with three or more cells become blocks, in which each cell has the name of its column.
import type { Tokens } from 'marked'
import { escapeHtml } from '../lib/html.ts'

/** A longer word in the first column would leave no room for the second on a phone. */
const FIRST_WORD_MAX = 22

/** A table of who may do what: `✓` and `–`. */
const isCheck = (text: string) => text === '✓' || text === '–'

function toKind(header: readonly Tokens.TableCell[], rows: readonly Tokens.TableCell[][]): string {
  if (rows.every((row) => row.length > 2 && row.slice(1).every(({ text }) => isCheck(text)))) return ' checks'
  const longest = Math.max(
    ...rows.map(([first]) => Math.max(...(first?.text ?? '').split(/[ ,]/).map((one) => one.length))),
  )
  return header.length > 2 || longest > FIRST_WORD_MAX ? ' blocks' : ''
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
