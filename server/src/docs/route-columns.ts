// Lays out each route of the API reference in two columns: its text on the left, its examples (a command and its
// response) on the right. On a narrow screen, text and examples form one column.

const EXAMPLE = /(?:<div class="example">[\s\S]*?<\/div>\n)+/

/** In `html`, routes have headings of level 3. The code of an example is escaped, so the first `</div>` ends the example. */
export function toRouteColumns(html: string): string {
  return html
    .split(/(?=<h[23] )/)
    .map((part) => {
      const found = EXAMPLE.exec(part)
      if (!found || !part.startsWith('<h3 ')) return part
      const [about, fields] = [part.slice(0, found.index), part.slice(found.index + found[0].length)]
      return `<section class="route"><div>${about}</div><div class="examples">${found[0]}</div><div>${fields}</div></section>\n`
    })
    .join('')
}
