// The portal has the layers app → pages → parts → api → ui. A file may import from its own layer and from the layers to the
// right. A page may not import another page; code that two pages share belongs in parts. `ui` knows nothing about payments,
// so the only package of ours that it may import is `words`.
import { importsOf, resolveImport, workspacesOf } from './imports.ts'
import { codeOutsideTests, inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

const ROOT = 'portal/src'
const LAYERS = ['app', 'pages', 'parts', 'api', 'ui']
/** The entry file, which belongs to the layer app. */
const ENTRY = `${ROOT}/main.tsx`
const UI_PACKAGES = ['words']

export function checkPortalLayers(files: readonly SourceFile[]): Finding[] {
  const workspaces = workspacesOf(files)
  return codeOutsideTests(files)
    .filter(({ path }) => inFolder(path, ROOT))
    .flatMap((file) => {
      const from = layerOf(file.path)
      if (!LAYERS.includes(from))
        return [{ file: file.path, line: 1, text: `${from} is not one of the layers ${LAYERS.join(' → ')}` }]
      return importsOf(file).flatMap(({ specifier, line }) => {
        const target = resolveImport(file, specifier, workspaces)
        const text = target === null || isStyle(target) ? null : findFault(file.path, target)
        return text === null ? [] : [{ file: file.path, line, text: `${text} (${specifier})` }]
      })
    })
}

function findFault(path: string, target: string): string | null {
  const from = layerOf(path)
  if (!inFolder(target, ROOT)) {
    const owner = target.split('/')[0] ?? ''
    const isForeign = from === 'ui' && owner !== 'portal' && !UI_PACKAGES.includes(owner)
    return isForeign ? `ui may not import from ${owner}` : null
  }
  const to = layerOf(target)
  if (LAYERS.indexOf(from) > LAYERS.indexOf(to)) return `${from} may not import from ${to}`
  const isOtherPage = from === 'pages' && to === 'pages' && pageOf(path) !== pageOf(target)
  return isOtherPage ? `the page ${pageOf(path)} may not import from the page ${pageOf(target)}` : null
}

function isStyle(path: string): boolean {
  return path.endsWith('.css')
}

function layerOf(path: string): string {
  return path === ENTRY ? 'app' : (path.split('/')[2] ?? '')
}

function pageOf(path: string): string {
  return path.split('/')[3] ?? ''
}
