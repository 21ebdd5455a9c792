// Preloaded before any TypeScript file: an older Node would fail on syntax and tell the reader nothing.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Pazar needs Node 24 or newer and this is ${process.version}; run "npm ci" with install scripts allowed (it brings Node 24 along), or install Node 24.`,
  )
  process.exit(1)
}
