// What browsers and programs may send with a state change, and whether it passes. Run on the rule itself and on every
// state-changing route.
export const OWN_ORIGIN = 'https://pay.example.me'

export interface SiteRow {
  what: string
  headers: Partial<Record<'sec-fetch-site' | 'origin' | 'referer', string>>
  passes: boolean
}

const EVIL = 'https://evil.example'

function row(what: string, passes: boolean, fetchSite?: string, origin?: string, referer?: string): SiteRow {
  return {
    what,
    passes,
    headers: {
      ...(fetchSite === undefined ? {} : { 'sec-fetch-site': fetchSite }),
      ...(origin === undefined ? {} : { origin }),
      ...(referer === undefined ? {} : { referer }),
    },
  }
}

export const CROSS_SITE_MATRIX: readonly SiteRow[] = [
  row('nothing at all: a program', true),
  row('our own fetch', true, 'same-origin', OWN_ORIGIN),
  row('our own form with its page', true, 'same-origin', OWN_ORIGIN, `${OWN_ORIGIN}/pay?x=1`),
  row('typed by the person', true, 'none'),
  row('typed, with our origin', true, 'none', OWN_ORIGIN),
  row('our own form without origin', true, 'same-origin', undefined, `${OWN_ORIGIN}/en/sign-in`),
  row('a blanked origin beside a good verdict', true, 'same-origin', 'null'),
  row('a blanked origin, typed', true, 'none', 'null'),
  row('an older browser with our origin', true, undefined, OWN_ORIGIN),
  row('an older browser with our page', true, undefined, undefined, `${OWN_ORIGIN}/`),
  row('our origin and a strange page', true, undefined, OWN_ORIGIN, `${EVIL}/`),
  row('another site', false, 'cross-site'),
  row('another site with its origin', false, 'cross-site', EVIL),
  row('another site that claims our origin', false, 'cross-site', OWN_ORIGIN),
  row('another site with our page as referer', false, 'cross-site', undefined, `${OWN_ORIGIN}/`),
  row('another site with a blanked origin', false, 'cross-site', 'null'),
  row('a sister host', false, 'same-site'),
  row('a sister host with its origin', false, 'same-site', 'https://shop.example.me'),
  row('a sister host that claims our origin', false, 'same-site', OWN_ORIGIN),
  row('an unknown verdict', false, 'maybe'),
  row('an empty verdict', false, ''),
  row('a verdict in capitals', false, 'SAME-ORIGIN'),
  row('two verdicts', false, 'same-origin, cross-site'),
  row('a blanked origin alone', false, undefined, 'null'),
  row('a blanked origin with our page', false, undefined, 'null', `${OWN_ORIGIN}/`),
  row("another site's origin, older browser", false, undefined, EVIL),
  row("another site's origin and our page", false, undefined, EVIL, `${OWN_ORIGIN}/`),
  row('a good verdict beside a strange origin', false, 'same-origin', EVIL),
  row('typed beside a strange origin', false, 'none', EVIL),
  row('our host over http', false, undefined, 'http://pay.example.me'),
  row('our host on another port', false, undefined, 'https://pay.example.me:8443'),
  row('our name as a part of another', false, undefined, 'https://pay.example.me.evil.example'),
  row('our name behind another', false, undefined, 'https://evilpay.example.me'),
  row('our origin with a path', false, undefined, `${OWN_ORIGIN}/`),
  row('our origin in capitals', false, undefined, 'HTTPS://PAY.EXAMPLE.ME'),
  row('an empty origin', false, undefined, ''),
  row("another site's page", false, undefined, undefined, `${EVIL}/pay`),
  row('a page whose path names us', false, undefined, undefined, `${EVIL}/${OWN_ORIGIN}`),
  row('our page over http', false, undefined, undefined, 'http://pay.example.me/'),
  row('a referer that is no address', false, undefined, undefined, 'pay.example.me'),
]
