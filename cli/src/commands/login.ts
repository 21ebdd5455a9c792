// Saves the address, the token, the project and the language for later commands. The token is not an argument, because
// shell histories and process lists show arguments.
import { requireBase, requireToken } from '../values.ts'
import type { Invocation, Command } from '../command.ts'
import { writeConfig } from '../config-file.ts'

export const login: Command = {
  name: 'login',
  args: [],
  options: { 'token-stdin': {} },
  example: 'pazar-cli login --base-url https://pay.example.me < token.txt',
  async run(invocation) {
    const { words, session, environment } = invocation
    const saved = session.readConfig() // Throws for an invalid file, so that login does not overwrite the file.
    const baseUrl = await findBaseUrl(invocation)
    const token = requireToken(words, await readToken(invocation))
    const projects = await session.listProjects(session.apiAs(baseUrl, token))
    const activeProjects = projects.filter((project) => project.archivedAt === null)
    const onlyId = activeProjects.length === 1 ? activeProjects[0]?.id : undefined
    // The saved project, if the new token can see it.
    const savedId = projects.find(({ id }) => id === saved.projectId)?.id
    const chosenId = invocation.optionValue('project') ?? environment.projectId ?? onlyId ?? savedId
    const lang = invocation.optionValue('lang') ?? saved.lang
    writeConfig(
      environment.configFile,
      {
        baseUrl,
        token,
        ...(chosenId === undefined ? {} : { projectId: chosenId }),
        ...(lang === undefined ? {} : { lang }),
      },
      words,
    )
    return {
      json: { baseUrl, projects: projects.length, projectId: chosenId ?? null, file: environment.configFile },
      lines: [words.done.signedIn(baseUrl, projects.length), words.done.savedIn(environment.configFile)],
    }
  },
}

async function findBaseUrl({ session, terminal, words }: Invocation): Promise<string> {
  const knownUrl = session.findBaseUrl()
  if (knownUrl !== null || !terminal.canAsk) return session.requireBaseUrl()
  return requireBase(words, await terminal.ask(words.ask.baseUrl))
}

async function readToken(invocation: Invocation): Promise<string> {
  const { words, terminal, environment } = invocation
  if (invocation.isSet('token-stdin')) return readFirstLine(invocation)
  if (environment.token !== null) return environment.token
  return terminal.canAsk ? terminal.ask(words.ask.token, { hidden: true }) : readFirstLine(invocation)
}

async function readFirstLine({ terminal }: Invocation): Promise<string> {
  const text = new TextDecoder().decode(await terminal.readInput())
  return (text.split('\n')[0] ?? '').trim()
}
