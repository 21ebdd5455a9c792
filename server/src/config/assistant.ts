import type { EnvReader } from './env-reader.ts'

export interface AssistantSettings {
  baseUrl: string
  apiKey: string | null
  model: string
}

export function readAssistant(read: EnvReader): AssistantSettings | null {
  const url = read.plainUrl('AI_BASE_URL', ['https:', 'http:'])
  const model = read.text('AI_MODEL')
  const apiKey = read.text('AI_API_KEY')
  if (url && model === null) read.addProblem('AI_MODEL must be set when AI_BASE_URL is set.')
  if (!read.text('AI_BASE_URL') && (model ?? apiKey) !== null)
    read.addProblem('AI_BASE_URL must be set when AI_MODEL or AI_API_KEY is set.')
  return url && model !== null ? { baseUrl: url.href.replace(/\/+$/, ''), apiKey, model } : null
}
