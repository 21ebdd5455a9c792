// The home page. A browser requests only the page and its icon. The page has no script.
import { colours } from '@pazar/theme'
import { catalogue, HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Config } from '../../config.ts'
import { ICON_LINKS, MARK } from '../../http/icons.ts'
import { toPreviewTags } from '../../http/link-preview.ts'
import type { Html } from '../../lib/html.ts'
import { html } from '../../lib/html.ts'
import { toHomeIcon, toLogPicture, toPayPicture } from './home-pictures.ts'
import type { IconName } from './home-pictures.ts'
import { readHomeSample } from './home-sample.ts'
import { homeStyle } from './home-style.ts'
import { toTripPicture } from './trip-picture.ts'

export interface HomeFacts {
  locale: Locale
  config: Pick<
    Config,
    | 'operatorName'
    | 'currency'
    | 'amountScale'
    | 'signUp'
    | 'supportUrl'
    | 'termsUrl'
    | 'privacyUrl'
    | 'baseUrl'
  >
  /** Where a visitor can make a test payment; null if no project is set up for that. */
  tryPath: string | null
}

const STEPS = ['link', 'pays', 'charge', 'result'] as const
const FEATURES = [
  'callbacks',
  'log',
  'status',
  'qr',
  'refunds',
  'test',
] as const satisfies readonly IconName[]

const sample = readHomeSample()

function toName({ locale, config }: HomeFacts): Html {
  return html`<a class="name" href="/${locale}">${MARK}${config.operatorName}</a>`
}

function toLanguages(locale: Locale): Html[] {
  return LOCALES.filter((one) => one !== locale).map(
    (one) =>
      html`<a href="/${one}" lang="${HTML_LANG[one]}" hreflang="${HTML_LANG[one]}">${LOCALE_LABEL[one]}</a>`,
  )
}

function toHeader(facts: HomeFacts): Html {
  const { locale, config } = facts
  const words = catalogue(locale).home
  const signUp =
    config.signUp === 'open' && html`<a class="small" href="/${locale}/sign-up">${words.signUp}</a>`
  return html`<a class="skip" href="#text">${words.skip}</a>
<header class="wrap">${toName(facts)}<nav aria-label="${words.menu}"><a href="/${locale}/docs"><span class="wide">${words.docs}</span><span class="phone">${words.docsShort}</span></a>${toLanguages(locale)}<a href="/${locale}/sign-in">${words.signIn}</a>${signUp}</nav></header>`
}

function toActions({ locale, config, tryPath }: HomeFacts): {
  links: Html
  note: string
  addsSignUpLink?: boolean
} {
  const words = catalogue(locale).home
  const quickstart = (rank: string) =>
    html`<a class="act${rank}" href="/${locale}/docs/quickstart">${words.quickstart}</a>`
  if (tryPath !== null)
    return {
      links: html`<a class="act" href="${tryPath}" rel="nofollow">${words.try}</a>${quickstart(' second')}`,
      note: words.tryNote,
      addsSignUpLink: config.signUp === 'open',
    }
  if (config.signUp === 'open')
    return {
      links: html`<a class="act" href="/${locale}/sign-up">${words.signUp}</a>${quickstart(' second')}`,
      note: words.signUpNote,
    }
  return { links: quickstart(''), note: words.closedNote }
}

function toHero(facts: HomeFacts): Html {
  const { locale, config } = facts
  const words = catalogue(locale).home
  const { links, note, addsSignUpLink } = toActions(facts)
  const money = { currency: config.currency, scale: config.amountScale }
  return html`<section class="wrap hero"><div><h1>${words.heading}</h1><p class="lead">${words.lead(config.operatorName)}</p>
<div class="acts">${links}</div><p class="note">${note}</p>${addsSignUpLink && html`<a class="more phone" href="/${locale}/sign-up">${words.signUp}</a>`}</div>${toPayPicture(locale, money)}</section>`
}

function toTrip({ locale, config }: HomeFacts): Html {
  const { trip } = catalogue(locale).home
  const steps = STEPS.map((step) => {
    const { title, text } = trip.steps[step]
    return html`<li><h3>${title}</h3><p class="muted">${text}</p></li>`
  })
  return html`<div class="band"><section class="wrap" aria-labelledby="trip"><div class="intro"><h2 id="trip">${trip.heading}</h2><p class="muted">${trip.text}</p></div>
<div class="two">${toTripPicture(trip, config.operatorName)}<ol class="steps">${steps}</ol></div></section></div>`
}

function toFeatures(locale: Locale): Html {
  const { gets } = catalogue(locale).home
  const cards = FEATURES.map((feature) => {
    const { title, text } = gets[feature]
    return html`<div>${toHomeIcon(feature)}<h3>${title}</h3><p class="muted">${text}</p></div>`
  })
  return html`<section class="wrap" aria-labelledby="gets"><div class="intro"><h2 id="gets">${gets.heading}</h2><p class="muted">${gets.text}</p></div>
${toLogPicture(locale)}<div class="cards">${cards}</div></section>`
}

function toCode(locale: Locale): Html {
  const { code } = catalogue(locale).home
  return html`<div class="band"><section class="wrap two code" aria-labelledby="code"><div><h2 id="code">${code.heading}</h2><p class="muted lead">${code.text}</p>
<a class="more" href="/${locale}/docs/callbacks#verify-the-signature">${code.other}</a></div>
<pre tabindex="0" role="region" aria-label="${code.label}"><code>${sample}</code></pre></section></div>`
}

function toEndSection(facts: HomeFacts): Html {
  const { end } = catalogue(facts.locale).home
  return html`<section class="wrap last" aria-labelledby="end"><div class="end"><h2 id="end">${end.heading}</h2><p>${end.text}</p><div class="acts">${toActions(facts).links}</div></div></section>`
}

function toFooter(facts: HomeFacts): Html {
  const { locale, config } = facts
  const { home, checkout } = catalogue(locale)
  const links = [
    config.signUp === 'open' ? [`/${locale}/sign-up`, home.signUp] : [null],
    [`/${locale}/docs`, home.docs],
    [`/${locale}/docs/reference`, home.footer.reference],
    [`/${locale}/docs/changelog`, home.footer.changelog],
    [config.supportUrl, checkout.footer.help],
    [config.termsUrl, checkout.footer.terms],
    [config.privacyUrl, checkout.footer.privacy],
  ].map(([href, label]) => href !== null && html`<a href="${href}">${label}</a>`)
  return html`<footer class="foot"><div class="wrap">${toName(facts)}<nav aria-label="${home.footer.links}">${links}${toLanguages(locale)}</nav></div></footer>`
}

export function renderHomePage(facts: HomeFacts): string {
  const { locale, config } = facts
  const words = catalogue(locale).home
  return html`<!doctype html>
<html lang="${HTML_LANG[locale]}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="theme-color" media="(prefers-color-scheme:light)" content="${colours.light.background}">
<meta name="theme-color" media="(prefers-color-scheme:dark)" content="${colours.dark.background}">
<title>${words.title(config.operatorName)}</title>
<meta name="description" content="${words.description}">
${toPreviewTags({ title: words.title(config.operatorName), description: words.description }, config)}
${LOCALES.map((one) => html`<link rel="alternate" hreflang="${HTML_LANG[one]}" href="${config.baseUrl}/${one}">`)}
${ICON_LINKS}
${homeStyle.element}
</head>
<body>
${toHeader(facts)}
<main id="text">${toHero(facts)}
${toTrip(facts)}
${toFeatures(locale)}
${toCode(locale)}
${toEndSection(facts)}</main>
${toFooter(facts)}
</body></html>`.text
}
