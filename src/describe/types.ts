/** The parts of OpenAPI 3.1 that this description uses. */
export type Schema = Readonly<{
  $ref?: string
  type?: string
  description?: string
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean
  items?: Schema
  anyOf?: readonly Schema[]
  not?: Schema
  enum?: readonly string[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}>

export type Media = { schema: Schema; example?: unknown }
export type Content = Readonly<Record<string, Media>>
export type Header = { description: string; required: boolean; schema: Schema; example: string | number }
export type Headers = Readonly<Record<string, { $ref: string } | Header>>
export type DescribedAnswer = { description: string; headers?: Headers; content?: Content }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example: string | number
}

export type Operation = {
  operationId: string
  tags: readonly [string]
  summary: string
  description: string
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Readonly<Record<number, DescribedAnswer>>
}

type Server = { url: string }
export type PathItem = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'options', Operation>> & {
  /** Where the path is served, if the API is served elsewhere. */
  servers?: readonly Server[]
}

export type Description = {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: readonly Server[]
  /** `x-protocol`: of programs for other servers. */
  tags: readonly { name: string; description: string; 'x-protocol'?: true }[]
  paths: Readonly<Record<string, PathItem>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    headers: Readonly<Record<string, Header>>
    securitySchemes: Readonly<Record<string, object>>
  }
}
