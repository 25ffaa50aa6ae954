import { CouncilProblem } from '../../client/council-problem.js';
import type { AnyOptions, Endpoint } from '../../client/request-options.js';
import { type ApiConnection, Transport } from '../../client/transport.js';
import type { Api, Identity } from './api.js';
import type { SessionTokens } from './session-tokens.js';

interface PageConnection extends ApiConnection {
  /** Null on the server, where no one is signed in. */
  readonly sessions: SessionTokens | null;
}

/**
 * In a browser, an answer is not compared with its schema: it comes from the service that has served this page, every
 * answer of which is compared with the same schemas in its tests, and on the server while the page is rendered.
 */
export function createApi({ sessions, ...connection }: PageConnection): Api {
  const http = new Transport(connection);

  async function sendOnce<Answer>(as: Identity['as'], send: Send<Answer>): Promise<Answer> {
    const token = as === 'nobody' ? null : ((await sessions?.current()) ?? null);
    return send(token === null ? {} : { authorization: `Bearer ${token}` });
  }

  /** An expired token is replaced once before the user has to sign in again. */
  async function sendAs<Answer>(as: Identity['as'], send: Send<Answer>): Promise<Answer> {
    try {
      return await sendOnce(as, send);
    } catch (error) {
      const isRefused = error instanceof CouncilProblem && error.code === 'unauthenticated';
      if (!isRefused || as === 'nobody' || sessions?.forget() !== true) throw error;
      return sendOnce(as, send);
    }
  }

  async function request<Name extends Endpoint>(endpoint: Name, { as, ...options }: AnyOptions & Identity) {
    try {
      return await sendAs(as, credential => http.request(endpoint, withCredential(options, credential)));
    } finally {
      // After a sign-in or sign-out, the token of the previous session must not be used.
      if (endpoint.startsWith('POST /api/auth/')) sessions?.forget();
    }
  }

  return {
    request,
    streams: {
      baseUrl: http.baseUrl,
      send: (endpoint, options) =>
        sendAs(undefined, credential => http.send(endpoint, withCredential(options, credential))),
    },
  };
}

type Credential = Readonly<Record<string, string>>;
type Send<Answer> = (credential: Credential) => Promise<Answer>;

function withCredential(options: AnyOptions, credential: Credential): AnyOptions {
  return { ...options, headers: { ...credential, ...options.headers } };
}
