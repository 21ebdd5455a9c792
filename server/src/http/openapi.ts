// OpenAPI 3.1 from the very schemas that validate, so the document cannot promise what the service does not do.
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { ERROR_STATUS, problem } from '@pazar/contract'
import type { ErrorCode } from '@pazar/contract'
import type { Config } from '../config.ts'

export const API_VERSION = '0.1.0'

export async function registerOpenApi(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pazar',
        version: API_VERSION,
        description: 'Hosted checkout: projects, pay links, signed callbacks and status checks.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: config.baseUrl }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: config.https ? '__Host-session' : 'session' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
}

/** The refusals a route can give, for its `response` schema. */
export function refusals(
  ...codes: ErrorCode[]
): Record<number, { description: string; content: Record<string, { schema: typeof problem }> }> {
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      { description: list.join(', '), content: { 'application/problem+json': { schema: problem } } },
    ]),
  )
}
