// What stands at the bare address: who this is and where a developer goes from here.
import { catalogue, HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { html } from '../lib/html.ts'
import { pageStyle } from './page-style.ts'

export function renderStartPage(locale: Locale, operatorName: string): string {
  const words = catalogue(locale).home
  const others = LOCALES.filter((one) => one !== locale)
  return html`<!doctype html>
<html lang="${HTML_LANG[locale]}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${operatorName} – ${words.heading}</title>
<link rel="icon" href="data:,">
${pageStyle.element}
</head>
<body><main><div class="card">
<h1>${words.heading}</h1>
<p>${words.text}</p>
<a class="button" href="/openapi.json">${words.apiDescription}</a>
</div></main>
<footer><p>${operatorName}</p><nav>${others.map((one) => html`<a href="/?lang=${one}" lang="${HTML_LANG[one]}">${LOCALE_LABEL[one]}</a>`)}</nav></footer>
</body></html>`.text
}
