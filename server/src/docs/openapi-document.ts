// The parts of our OpenAPI document that the page of the API reference shows.
type Plain = string | number | boolean | null

export interface ApiSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, ApiSchema>
  required?: string[]
  items?: ApiSchema
  anyOf?: ApiSchema[]
  enum?: Plain[]
  const?: Plain
  default?: Plain
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface ApiParameter {
  in: 'query' | 'path' | 'header'
  name: string
  required?: boolean
  description?: string
  schema: ApiSchema
}

export interface ApiOperation {
  summary?: string
  deprecated?: boolean
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: ApiParameter[]
  requestBody?: { content: Record<string, { schema: ApiSchema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: ApiSchema }> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>
  webhooks?: Record<string, Record<string, ApiOperation>>
  components: { schemas: Record<string, ApiSchema> }
}
