// Headers of requests that change something, and whether the service accepts the request.
export const OWN_ORIGIN = 'https://pay.example.me'

export interface SiteRow {
  what: string
  headers: Partial<Record<'sec-fetch-site' | 'origin' | 'referer', string>>
  passes: boolean
}

const EVIL = 'https://evil.example'

function row(
  caseName: string,
  passes: boolean,
  fetchSite?: string,
  origin?: string,
  referer?: string,
): SiteRow {
  return {
    what: caseName,
    passes,
    headers: {
      ...(fetchSite === undefined ? {} : { 'sec-fetch-site': fetchSite }),
      ...(origin === undefined ? {} : { origin }),
      ...(referer === undefined ? {} : { referer }),
    },
  }
}

export const CROSS_SITE_MATRIX: readonly SiteRow[] = [
  row('a program that sends none of these headers', true),
  row('our own fetch', true, 'same-origin', OWN_ORIGIN),
  row('our own form with its page as referer', true, 'same-origin', OWN_ORIGIN, `${OWN_ORIGIN}/pay?x=1`),
  row('typed into the address bar', true, 'none'),
  row('typed into the address bar, with our origin', true, 'none', OWN_ORIGIN),
  row('our own form without origin', true, 'same-origin', undefined, `${OWN_ORIGIN}/en/sign-in`),
  row('origin null with Sec-Fetch-Site same-origin', true, 'same-origin', 'null'),
  row('typed into the address bar, with origin null', true, 'none', 'null'),
  row('an older browser with our origin', true, undefined, OWN_ORIGIN),
  row('an older browser with our page as referer', true, undefined, undefined, `${OWN_ORIGIN}/`),
  row('our origin with a foreign referer', true, undefined, OWN_ORIGIN, `${EVIL}/`),
  row('another site', false, 'cross-site'),
  row('another site with its origin', false, 'cross-site', EVIL),
  row('another site that claims our origin', false, 'cross-site', OWN_ORIGIN),
  row('another site with our page as referer', false, 'cross-site', undefined, `${OWN_ORIGIN}/`),
  row('another site with origin null', false, 'cross-site', 'null'),
  row('another host of the same site', false, 'same-site'),
  row('another host of the same site, with its origin', false, 'same-site', 'https://shop.example.me'),
  row('another host of the same site that claims our origin', false, 'same-site', OWN_ORIGIN),
  row('an unknown Sec-Fetch-Site', false, 'maybe'),
  row('an empty Sec-Fetch-Site', false, ''),
  row('Sec-Fetch-Site in capitals', false, 'SAME-ORIGIN'),
  row('two values of Sec-Fetch-Site', false, 'same-origin, cross-site'),
  row('origin null alone', false, undefined, 'null'),
  row('origin null with our page as referer', false, undefined, 'null', `${OWN_ORIGIN}/`),
  row("another site's origin, older browser", false, undefined, EVIL),
  row("another site's origin with our page as referer", false, undefined, EVIL, `${OWN_ORIGIN}/`),
  row('Sec-Fetch-Site same-origin with a foreign origin', false, 'same-origin', EVIL),
  row('Sec-Fetch-Site none with a foreign origin', false, 'none', EVIL),
  row('our host over http', false, undefined, 'http://pay.example.me'),
  row('our host on another port', false, undefined, 'https://pay.example.me:8443'),
  row('a foreign host that begins with our host', false, undefined, 'https://pay.example.me.evil.example'),
  row('a foreign host that ends with our host', false, undefined, 'https://evilpay.example.me'),
  row('our origin with a path', false, undefined, `${OWN_ORIGIN}/`),
  row('our origin in capitals', false, undefined, 'HTTPS://PAY.EXAMPLE.ME'),
  row('an empty origin', false, undefined, ''),
  row("another site's page as referer", false, undefined, undefined, `${EVIL}/pay`),
  row(
    'a foreign referer whose path contains our origin',
    false,
    undefined,
    undefined,
    `${EVIL}/${OWN_ORIGIN}`,
  ),
  row('our page over http as referer', false, undefined, undefined, 'http://pay.example.me/'),
  row('a referer that is not a URL', false, undefined, undefined, 'pay.example.me'),
]
