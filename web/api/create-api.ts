import { type AnswerParsers, type ApiAddress, ApiProblem, HttpClient } from '../../client/http-client.js';
import type { Endpoint } from '../../contract/operations.js';
import type { Api, ApiOptions } from './api.js';
import type { SessionTokens } from './session-tokens.js';

interface ApiConnection extends ApiAddress {
  readonly parsers: AnswerParsers;
  /** Null on the server, where no one is signed in. */
  readonly sessions: SessionTokens | null;
}

export function createApi({ parsers, sessions, ...address }: ApiConnection): Api {
  const http = new HttpClient(address, parsers);

  async function sendOnce<Answer>(as: ApiOptions['as'], send: Send<Answer>): Promise<Answer> {
    const token = as === 'nobody' ? null : ((await sessions?.current()) ?? null);
    return send(token === null ? {} : { authorization: `Bearer ${token}` });
  }

  /** An expired token is replaced once before the user has to sign in again. */
  async function sendAs<Answer>(as: ApiOptions['as'], send: Send<Answer>): Promise<Answer> {
    try {
      return await sendOnce(as, send);
    } catch (error) {
      const isRefused = error instanceof ApiProblem && error.code === 'unauthenticated';
      if (!isRefused || as === 'nobody' || sessions?.forget() !== true) throw error;
      return sendOnce(as, send);
    }
  }

  async function request<Name extends Endpoint>(endpoint: Name, { as, ...options }: ApiOptions) {
    try {
      return await sendAs(as, credential =>
        http.request(endpoint, { ...options, headers: { ...credential, ...options.headers } }),
      );
    } finally {
      // After a sign-in or sign-out, the token of the previous session must not be used.
      if (endpoint.startsWith('POST /api/auth/')) sessions?.forget();
    }
  }

  async function followReport(id: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    const response = await sendAs(undefined, credential => {
      const headers = { ...credential, accept: 'text/event-stream' };
      return http.send('GET /api/reports/{id}/events', { path: { id }, signal, headers });
    });
    return response.body;
  }

  return { request, followReport };
}

type Send<Answer> = (credential: Readonly<Record<string, string>>) => Promise<Answer>;
