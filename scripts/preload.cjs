// Loaded before any TypeScript file. An older Node could fail on such a file with an error that does not name the cause.
const { existsSync, readFileSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const path = require('node:path')

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Pazar needs Node 24 or newer and this is ${process.version}. Install Node 24, for example with "npm install -g node@24". In a clone, "npm ci" installs it if install scripts are allowed.`,
  )
  process.exit(1)
}
const [envFile] = process.execArgv.flatMap((flag) => /^--env-file(?:-if-exists)?=(.+)$/.exec(flag)?.[1] ?? [])
// With --env-file-if-exists, Node ignores a file that it may not read. Without the settings of that file, the service
// could use another database.
if (envFile && existsSync(envFile)) {
  let text = ''
  try {
    text = readFileSync(envFile, 'utf8')
  } catch (error) {
    console.error(
      `The settings in ${envFile} cannot be read (${error.code}). Run this as a user who may read the file.`,
    )
    process.exit(1)
  }
  // Node takes a byte order mark as a part of the first setting's name, so the setting is lost. Node cannot read UTF-16.
  if (/^\uFEFF|\0/.test(text)) {
    console.error(`${envFile} must be saved as UTF-8 without a byte order mark (BOM).`)
    process.exit(1)
  }
}
// Logins, su and sudo set MAIL to the user's mailbox, such as /var/mail/ana. Our setting MAIL is never a path. With a MAIL in
// the environment, Node ignores the MAIL of .env, so the file is read again.
if (process.env.MAIL?.startsWith('/')) {
  delete process.env.MAIL
  if (envFile && existsSync(envFile)) process.loadEnvFile(envFile)
}
// Makes the next start faster. The cache is not in the shared temporary directory, where other users could put code for us
// to run.
enableCompileCache(path.join(__dirname, '..', 'node_modules', '.cache', 'pazar-compiled'))
