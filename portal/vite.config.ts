// Builds the files of the portal. The service writes the HTML itself, because language, theme and policy differ per request.
// So the build starts at the script and writes a manifest of the files that belong to it.
import { cssVariables, edgeShade } from '@pazar/theme'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const THEME = 'virtual:theme.css'

/** The shade at the edges of scrolling content, as light as in the docs: in a box, and directly on the page. */
function toStyle(): string {
  const inBox = edgeShade.replaceAll('28%', '14%')
  const onPage = inBox.replaceAll('--surface', '--background')
  return `${cssVariables()}.edge-shade{${inBox}}.edge-shade-page{${onPage}}`
}

/** The design tokens and shared styles as a style sheet, from the same source as the payer's pages. */
function theme(): Plugin {
  const id = `\0${THEME}`
  return {
    name: 'theme',
    resolveId: (requested) => (requested === THEME ? id : undefined),
    load: (requested) => (requested === id ? toStyle() : undefined),
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal-assets/',
  plugins: [theme(), react(), tailwind()],
  build: {
    manifest: 'manifest.json',
    outDir: 'dist',
    assetsDir: '.',
    assetsInlineLimit: 0,
    // One sheet: pages then never wait for a second one, and it is small.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    target: 'es2023',
    rolldownOptions: {
      input: 'src/main.tsx',
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
        // Otherwise each set of pages that share a module gets its own file: 130 files, and 44 of them for one page.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 5 }] },
      },
    },
  },
})
