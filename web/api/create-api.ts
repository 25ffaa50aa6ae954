import { type AnswerParsers, type ApiAddress, ApiProblem, HttpClient } from '../../client/http-client.js';
import type { AnswerAt, Endpoint } from '../../contract/operations.js';
import type { Api, ApiOptions } from './api.js';
import type { SessionTokens } from './session-tokens.js';

interface ApiConnection extends ApiAddress {
  readonly parsers: AnswerParsers;
  /** Null on the server, where no one is signed in. */
  readonly sessions: SessionTokens | null;
}

export function createApi({ parsers, sessions, ...address }: ApiConnection): Api {
  const http = new HttpClient(address, parsers);

  async function requestOnce<Name extends Endpoint>(
    endpoint: Name,
    { as, ...options }: ApiOptions,
  ): Promise<AnswerAt<Name>> {
    const token = as === 'nobody' ? null : ((await sessions?.current()) ?? null);
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    return http.request(endpoint, { ...options, headers: { ...authorization, ...options.headers } });
  }

  /** An expired token is replaced once before the user has to sign in again. */
  async function request<Name extends Endpoint>(endpoint: Name, options: ApiOptions) {
    try {
      return await requestOnce(endpoint, options);
    } catch (error) {
      const isRefused = error instanceof ApiProblem && error.code === 'unauthenticated';
      if (!isRefused || options.as === 'nobody' || sessions?.forget() !== true) throw error;
      return requestOnce(endpoint, options);
    } finally {
      // After a sign-in or sign-out, the token of the previous session must not be used.
      if (endpoint.startsWith('POST /api/auth/')) sessions?.forget();
    }
  }

  return { request };
}
