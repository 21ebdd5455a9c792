// The code on the home page: a part of a tested program, with the colours of the docs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cutSample } from '@pazar/words'
import { highlight } from '../../docs/highlight.ts'
import type { Html } from '../../lib/html.ts'
import { trustedMarkup } from '../../lib/html.ts'

const FILE = path.join(import.meta.dirname, '../../../../examples/home/callback.ts')

export function readHomeSample(): Html {
  return trustedMarkup(highlight(cutSample(readFileSync(FILE, 'utf8')).trimEnd(), 'ts'))
}
