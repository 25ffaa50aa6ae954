import type { Access } from '../../contract/operation.js';
import { apiKeyPrefix } from '../../purchase/api-key.js';

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: `An API key. It begins with \`${apiKeyPrefix}\`. Create one with \`POST /api/keys\`.`,
  },
  apiKeyAsBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same API key, as `Authorization: Bearer`.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A session token. With the built-in accounts: sign in, then call `GET /api/auth/token`. It is valid for 15 minutes.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'better-auth.session_token',
    description:
      'The session of a browser, set as a cookie by the sign-in. It only serves to create session tokens.',
  },
} as const;

type Requirement = Readonly<Partial<Record<keyof typeof securitySchemes, readonly never[]>>>;

/** Any one of the alternatives suffices; an empty one means no credential. */
export const securityOf: Readonly<Record<Access, readonly Requirement[]>> = {
  public: [],
  anyone: [{ apiKey: [] }, { apiKeyAsBearer: [] }, { session: [] }],
  session: [{ session: [] }],
  cookie: [{ sessionCookie: [] }],
  cookie_if_any: [{ sessionCookie: [] }, {}],
};

/** The same as text. */
export const accessTexts: Readonly<Record<Access, string>> = {
  public: 'No credential.',
  anyone: 'An API key or a session.',
  session: 'A session. API keys are refused, so that a leaked key cannot create other keys.',
  cookie: 'The cookie of a signed-in browser.',
  cookie_if_any: 'No credential. Uses the session of the cookie, if one is sent.',
};

/** Of an operation that spends or changes something. */
export const scopeText = 'An API key needs the scope `spend`.';
