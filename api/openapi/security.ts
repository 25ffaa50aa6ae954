import { apiKeyPrefix } from '../../council/api-key.js';
import type { Access } from './operation.js';

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: `An API key: it begins with \`${apiKeyPrefix}\`. Mint one at \`POST /api/keys\`.`,
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
      'A session token. With the built-in accounts: sign in, then take one from `GET /api/auth/token`; it is good for a quarter of an hour.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'better-auth.session_token',
    description:
      'The session of a browser, which the sign-in leaves as a cookie. Good for session tokens only.',
  },
} as const;

type Requirement = Readonly<Partial<Record<keyof typeof securitySchemes, readonly never[]>>>;

/** Any one of them lets in; an empty one is nobody's. */
export const securityOf: Readonly<Record<Access, readonly Requirement[]>> = {
  public: [],
  anyone: [{ apiKey: [] }, { apiKeyAsBearer: [] }, { session: [] }],
  session: [{ session: [] }],
  cookie: [{ sessionCookie: [] }],
  cookie_if_any: [{ sessionCookie: [] }, {}],
};

/** The same in words. */
export const accessInWords: Readonly<Record<Access, string>> = {
  public: 'No credential.',
  anyone: 'An API key or a session.',
  session:
    'A session. An API key is refused, so that one which leaks cannot make others or change what is paid.',
  cookie: 'The cookie of a signed-in browser.',
  cookie_if_any: 'Nothing; it speaks of the session whose cookie is sent along.',
};
