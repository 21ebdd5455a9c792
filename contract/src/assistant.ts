// /sdk/ai/prompt: answers questions about the integration.
import { z } from 'zod'
import { PROMPT_MAX } from './limits.ts'
import { locale, projectId } from './values.ts'

export const promptBody = z.strictObject({
  prompt: z
    .string()
    .refine((text) => text.trim() !== '', { params: { code: 'required' } })
    .refine((text) => [...text].length <= PROMPT_MAX, { params: { code: 'too_long', max: PROMPT_MAX } })
    .meta({
      minLength: 1,
      maxLength: PROMPT_MAX,
      description: `Your question; ${PROMPT_MAX} characters at most`,
    }),
  projectId: projectId.optional().describe('The project the question is about'),
  locale: locale
    .optional()
    .describe("The answer's language; if omitted: the language of your browser or account"),
})

export const promptAnswer = z.object({
  answer: z.string().describe('Markdown'),
  sources: z.array(z.object({ title: z.string(), url: z.string() })),
  model: z
    .string()
    .nullable()
    .describe('The model that wrote the answer; null if the answer is quoted from the documentation'),
})

export type PromptBody = z.infer<typeof promptBody>
export type PromptAnswer = z.infer<typeof promptAnswer>
