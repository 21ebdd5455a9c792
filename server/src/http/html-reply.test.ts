import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsGzip } from './html-reply.ts'

test('a client accepts gzip only if its header names gzip with a weight above 0', () => {
  for (const header of ['gzip', 'gzip, deflate, br', 'br;q=1.0, GZIP;q=0.5', 'deflate , gzip ;q=1'])
    assert.equal(acceptsGzip(header), true, header)
  for (const header of [undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.000', 'xgzip', '*;q=0'])
    assert.equal(acceptsGzip(header), false, header)
})
