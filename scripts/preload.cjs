// Preloaded before any TypeScript file: an older Node would fail on syntax and tell the reader nothing.
const { enableCompileCache } = require('node:module')
const path = require('node:path')

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Pazar needs Node 24 or newer and this is ${process.version}. Install Node 24, for example with "npm install -g node@24". In a clone, "npm ci" with install scripts allowed brings it along.`,
  )
  process.exit(1)
}
// What was stripped and compiled once is kept: a second start is half a second sooner. Beside the packages and not in the
// shared directory for temporary files, where others could put code for us to run. What cannot be kept is made again.
enableCompileCache(path.join(__dirname, '..', 'node_modules', '.cache', 'pazar-compiled'))
