import { CliError } from '../cli-error.ts'
import type { Invocation, Command } from '../command.ts'
import { writeConfig } from '../config-file.ts'
import type { Project } from '../session.ts'
import { span, toTable } from '../terminal.ts'

export const projects: Command = {
  name: 'projects',
  args: [],
  options: { use: { value: '<id>' } },
  example: 'pazar-cli projects',
  async run(invocation) {
    const { words, session, environment } = invocation
    const projectList = await session.listProjects()
    const idToUse = invocation.optionValue('use')
    if (idToUse !== undefined) return choose(invocation, projectList, idToUse)
    const chosen =
      invocation.optionValue('project') ?? environment.projectId ?? session.readConfig().projectId ?? null
    const rows = projectList.map((project) => [
      project.id === chosen ? span('good', '*') : ' ',
      project.id,
      project.name,
      span('dim', project.testApiUrl ?? project.apiUrl),
    ])
    return {
      json: { projects: projectList, chosen },
      lines: rows.length > 0 ? toTable(rows) : [words.empty.projects],
    }
  },
}

function choose({ words, session, environment }: Invocation, projectList: readonly Project[], id: string) {
  const project = projectList.find((one) => one.id === id)
  if (project === undefined) {
    throw new CliError(words.problems.noProject, words.next.seeProjects, { code: 'no_project' })
  }
  writeConfig(environment.configFile, { ...session.readConfig(), projectId: id }, words)
  return { json: { chosen: id }, lines: [words.done.chosen(project.name)] }
}
