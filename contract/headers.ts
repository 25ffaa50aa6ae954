interface HeaderDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
  /** Whether every response that lists the header has it. */
  readonly required: boolean;
}

const text = { type: 'string', minLength: 1 } as const;
const seconds = { type: 'integer', minimum: 1 } as const;

/** Every response header that callers may rely on. */
export const headers = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    description: 'Id of this request. Include it when you contact support.',
    schema: text,
    required: true,
  },
  RateLimit: {
    name: 'RateLimit',
    description:
      'Remaining requests and the time until the limit resets (draft-ietf-httpapi-ratelimit-headers). A purchase returns the remaining runs of this hour instead: `"runs";r=4;t=0`.',
    schema: text,
    required: true,
  },
  'RateLimit-Policy': {
    name: 'RateLimit-Policy',
    description: 'The limits that `RateLimit` refers to: `q` requests in `w` seconds.',
    schema: text,
    required: true,
  },
  'Retry-After': {
    name: 'Retry-After',
    description: 'Seconds to wait before a retry.',
    schema: seconds,
    required: true,
  },
  'Retry-After-while-it-runs': {
    name: 'Retry-After',
    description: 'Seconds to wait before the next request, while the report is in progress.',
    schema: seconds,
    required: false,
  },
  'WWW-Authenticate': {
    name: 'WWW-Authenticate',
    description: 'The kind of credential that is required.',
    schema: text,
    required: true,
  },
  Location: {
    name: 'Location',
    description: 'Path of the report or the batch.',
    schema: text,
    required: true,
  },
  'Location-of-page': {
    name: 'Location',
    description: 'The page that shows the result.',
    schema: text,
    required: true,
  },
  ETag: {
    name: 'ETag',
    description:
      'Version of this response. Send it as `If-None-Match` to find out whether the resource has changed.',
    schema: text,
    required: true,
  },
  'ETag-when-finished': {
    name: 'ETag',
    description:
      'Version of a completed or failed report, for `If-None-Match`. Only its grade can still change.',
    schema: text,
    required: false,
  },
  'ETag-of-results': {
    name: 'ETag',
    description: 'Version of results that do not change any more, for `If-None-Match`.',
    schema: text,
    required: false,
  },
  Digest: {
    name: 'Digest',
    description: 'SHA-256 of results that do not change any more: `sha-256=` and base64.',
    schema: text,
    required: false,
  },
  'Repr-Digest': {
    name: 'Repr-Digest',
    description: 'The same as `Digest`, as RFC 9530 writes it.',
    schema: text,
    required: false,
  },
  'Cache-Control': {
    name: 'Cache-Control',
    description:
      'Who can cache this response, and for how long: `private, no-store`, unless it is the same for everybody.',
    schema: text,
    required: true,
  },
  Age: {
    name: 'Age',
    description: 'Seconds since the market was read for this response.',
    schema: { type: 'integer', minimum: 0 },
    required: true,
  },
  'Idempotent-Replayed': {
    name: 'Idempotent-Replayed',
    description:
      'The response of an earlier request with the same `Idempotency-Key`. Nothing was executed again.',
    schema: { type: 'string', enum: ['true'] },
    required: false,
  },
  'Preference-Applied': {
    name: 'Preference-Applied',
    description: 'The maximum time for which the response was held, if `Prefer` requested it.',
    schema: text,
    required: false,
  },
  'Set-Cookie': {
    name: 'Set-Cookie',
    description: 'The session of the browser. Scripts cannot read it.',
    schema: text,
    required: true,
  },
} as const satisfies Record<string, HeaderDefinition>;

export type HeaderKey = keyof typeof headers;
