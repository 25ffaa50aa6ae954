interface HeaderDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
  /** Whether an answer that lists it always has it. */
  readonly required: boolean;
}

const text = { type: 'string', minLength: 1 } as const;
const seconds = { type: 'integer', minimum: 1 } as const;

/** Every response header that callers may rely on. */
export const headers = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    description: 'Names this request. Say it when you ask for help.',
    schema: text,
    required: true,
  },
  RateLimit: {
    name: 'RateLimit',
    description:
      'How many requests are left and when there will be more (draft-ietf-httpapi-ratelimit-headers). A purchase tells the runs that are left this hour instead: `"runs";r=4;t=0`.',
    schema: text,
    required: true,
  },
  'RateLimit-Policy': {
    name: 'RateLimit-Policy',
    description: 'The limits that `RateLimit` speaks of: `q` requests in `w` seconds.',
    schema: text,
    required: true,
  },
  'Retry-After': {
    name: 'Retry-After',
    description: 'Seconds after which it is worth asking again.',
    schema: seconds,
    required: true,
  },
  'Retry-After-while-it-runs': {
    name: 'Retry-After',
    description: 'While the report is not finished: seconds after which it is worth asking again.',
    schema: seconds,
    required: false,
  },
  'WWW-Authenticate': {
    name: 'WWW-Authenticate',
    description: 'Which kind of credential is needed.',
    schema: text,
    required: true,
  },
  Location: { name: 'Location', description: 'Where the report is.', schema: text, required: true },
  ETag: {
    name: 'ETag',
    description: 'Names this very answer: send it as `If-None-Match` to be told whether it has changed.',
    schema: text,
    required: true,
  },
  'ETag-when-finished': {
    name: 'ETag',
    description: 'Of a finished report, which changes no more but for its grade: for `If-None-Match`.',
    schema: text,
    required: false,
  },
  'Cache-Control': {
    name: 'Cache-Control',
    description: 'Who may keep this answer, and for how long.',
    schema: text,
    required: true,
  },
  'Idempotent-Replayed': {
    name: 'Idempotent-Replayed',
    description: 'This answer was given before, to the same `Idempotency-Key`. Nothing was done again.',
    schema: { type: 'string', enum: ['true'] },
    required: false,
  },
  'Preference-Applied': {
    name: 'Preference-Applied',
    description: 'For how long the answer was held back at most, where `Prefer` asked for it.',
    schema: text,
    required: false,
  },
  'Set-Cookie': {
    name: 'Set-Cookie',
    description: 'The session of the browser. No script can read it.',
    schema: text,
    required: true,
  },
} as const satisfies Record<string, HeaderDefinition>;

export type HeaderKey = keyof typeof headers;
