import type { IncomingHttpHeaders } from 'node:http'

function findWeight(accept: string, type: string): number {
  const [family] = type.split('/')
  let best = { specificity: -1, weight: 0 }
  for (const part of accept.split(',')) {
    const [range = '', ...params] = part.split(';').map((one) => one.trim().toLowerCase())
    const specificity = [`*/*`, `${family}/*`, type].indexOf(range)
    if (specificity < best.specificity || specificity < 0) continue
    const quality = params.find((one) => one.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    best = { specificity, weight: Number.isFinite(weight) ? weight : 0 }
  }
  return best.weight
}

function findJsonWeight(accept: string): number {
  return Math.max(findWeight(accept, 'application/json'), findWeight(accept, 'application/problem+json'))
}

export function prefersHtml(accept: string | undefined): boolean {
  if (!accept) return false
  const page = findWeight(accept, 'text/html')
  const json = findJsonWeight(accept)
  // A client that gives HTML and JSON the same weight is a browser only if the header names text/html.
  return page > json || (page > 0 && page === json && accept.toLowerCase().includes('text/html'))
}

const NAMES_JSON = /application\/(?:problem\+)?json/i
const NAMES_HTML = /text\/(?:html|\*)/i

function prefersJson(accept: string | undefined): boolean {
  if (!accept) return false
  const page = findWeight(accept, 'text/html')
  const json = findJsonWeight(accept)
  // Programs often send `application/json, text/plain, */*`, which gives HTML and JSON the same weight.
  return json > page || (json > 0 && json === page && NAMES_JSON.test(accept) && !NAMES_HTML.test(accept))
}

/** True: a payer's request gets JSON, because its content type is JSON or `Accept` prefers JSON. False: it gets HTML. */
export function wantsJson({ accept, 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  return /^application\/json\b/i.test(type) || prefersJson(accept)
}
