import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBrowserName } from './browser-name.ts'

test('a user agent becomes the name of its browser and system, and an unknown one is cut', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  const cases: [string, string][] = [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge, Windows'],
    [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome} Mobile Safari/537.36`, 'Chrome, Android'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 OPR/110.0.0.0`, 'Opera, Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari, iOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari, macOS',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome, ChromeOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox, Linux'],
    [`Mozilla/5.0 (Linux; Android 14) SamsungBrowser/26.0 ${chrome}`, 'Samsung Internet, Android'],
    ['curl/8.9.1', 'curl/8.9.1'],
    ['x'.repeat(61), 'x'.repeat(60)],
    ['', '–'],
  ]
  for (const [userAgent, name] of cases) assert.equal(toBrowserName(userAgent), name)
})
