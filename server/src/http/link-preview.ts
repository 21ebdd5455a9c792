// Open Graph tags, which chat programs and social networks show for a link.
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import { PREVIEW_PATH } from './icons.ts'

export interface LinkPreview {
  title: string
  description: string
}

export function toPreviewTags(preview: LinkPreview, site: { baseUrl: string; operatorName: string }): Html {
  return html`<meta property="og:type" content="website"><meta property="og:site_name" content="${site.operatorName}"><meta property="og:title" content="${preview.title}"><meta property="og:description" content="${preview.description}"><meta property="og:image" content="${site.baseUrl}${PREVIEW_PATH}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta name="twitter:card" content="summary_large_image">`
}
