// Builds the portal. The service writes the HTML itself, so the build starts at the script and writes a manifest.
import { cssVariables, edgeShade } from '@pazar/theme'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const THEME = 'virtual:theme.css'

/** Two shades that are half as dark as `edgeShade`: one for boxes, and one directly on the page. */
function toStyle(): string {
  const inBox = edgeShade.replaceAll('28%', '14%')
  const onPage = inBox.replaceAll('--surface', '--background')
  return `${cssVariables()}.edge-shade{${inBox}}.edge-shade-page{${onPage}}`
}

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
    // All styles are in one small style sheet, so that no page waits for a second one.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    target: 'es2023',
    rolldownOptions: {
      input: 'src/main.tsx',
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
        // Without this group, there would be one more file for each combination of pages that share a module.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 5 }] },
      },
    },
  },
})
