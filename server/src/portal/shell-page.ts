import type { AccountView } from '@pazar/contract'
import { colours } from '@pazar/theme'
import { catalogue, HTML_LANG } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { toRelyingParty } from '../accounts/relying-party.ts'
import type { Config } from '../config.ts'
import { isLiveSandbox } from '../config/upstreams.ts'
import { ICON_LINKS, MANIFEST_LINK } from '../http/icons.ts'
import { html } from '../lib/html.ts'
import type { PortalBuild } from './build.ts'

export const ASSETS = '/portal-assets'

/** Allows nothing from other origins and nothing inline. The page itself may create images, such as QR codes. */
export const PORTAL_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "manifest-src 'self'",
].join('; ')

function toPageData(config: Config, allowHosts: ReadonlySet<string>, account: AccountView | null): string {
  return JSON.stringify({
    baseUrl: config.baseUrl,
    currency: config.currency,
    amountScale: config.amountScale,
    signUpOpen: config.signUp === 'open',
    passkeysAvailable: toRelyingParty(config) !== null,
    requireKyc: config.requireKyc,
    liveIsSandbox: isLiveSandbox(config),
    operatorName: config.operatorName,
    supportUrl: config.supportUrl,
    allowHosts: [...allowHosts],
    account,
  })
}

export interface ShellOptions {
  config: Config
  allowHosts: ReadonlySet<string>
  account: AccountView | null
  locale: Locale
}

export function renderShell(
  build: PortalBuild,
  { config, allowHosts, account, locale }: ShellOptions,
): string {
  const theme = account?.theme ?? 'system'
  const { frame } = catalogue(locale).portal
  const toUrl = (file: string) => `${ASSETS}/${file}`
  return html`<!doctype html>
<html lang="${HTML_LANG[locale]}"${theme === 'system' ? '' : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<meta name="theme-color" media="(prefers-color-scheme:light)" content="${colours.light.background}">
<meta name="theme-color" media="(prefers-color-scheme:dark)" content="${colours.dark.background}">
<meta name="pazar" content="${toPageData(config, allowHosts, account)}">
<title>${config.operatorName}</title>
${ICON_LINKS}${MANIFEST_LINK}
${build.styles.map((file) => html`<link rel="stylesheet" href="${toUrl(file)}">`)}
${build.preloads[locale][account ? 'work' : 'entry'].map((file) => html`<link rel="modulepreload" href="${toUrl(file)}">`)}
<script type="module" src="${toUrl(build.script)}"></script>
</head>
<body><div id="portal"><p role="alert" class="not-started">${frame.notStarted} <a href="">${frame.newVersion.action}</a></p></div>
<noscript><p lang="${HTML_LANG[locale]}">${frame.needsScript}</p></noscript>
</body></html>`.text
}
