import { type ApiAddress, ApiProblem, HttpClient, type RequestOptions } from '../../client/http-client.js';
import type { AnswerParsers } from './answer-parsers.js';
import type { Answer, Operation } from './answer-shapes.js';
import type { Api, ApiOptions } from './api.js';
import type { SessionTokens } from './session-tokens.js';

interface ApiConnection extends ApiAddress {
  readonly parsers: AnswerParsers;
  /** Null on the server, where no one is signed in. */
  readonly sessions: SessionTokens | null;
}

export function createApi({ parsers, sessions, ...address }: ApiConnection): Api {
  const http = new HttpClient(address, parsers.problem);

  async function requestOnce<Name extends Operation>(
    operation: Name,
    { as, path, query, ...options }: RequestedOptions,
  ): Promise<Answer<Name>> {
    const token = as === 'nobody' ? null : ((await sessions?.current()) ?? null);
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    return http.request(parsers.answerTo(operation), addressOf(operation, path, query), {
      ...options,
      method: methodOf(operation),
      headers: { ...authorization, ...options.headers },
    });
  }

  /** An expired token is replaced once before the user has to sign in again. */
  async function request<Name extends Operation>(operation: Name, options: RequestedOptions) {
    try {
      return await requestOnce(operation, options);
    } catch (error) {
      const isRefused = error instanceof ApiProblem && error.code === 'unauthenticated';
      if (!isRefused || options.as === 'nobody' || sessions?.forget() !== true) throw error;
      return requestOnce(operation, options);
    } finally {
      // After a sign-in or sign-out, the token of the previous session must not be used.
      if (operation.startsWith('POST /api/auth/')) sessions?.forget();
    }
  }

  return { request };
}

interface RequestedOptions extends ApiOptions {
  readonly path?: Readonly<Record<string, string | number>>;
}

function methodOf(operation: Operation): NonNullable<RequestOptions['method']> {
  const method = (['POST', 'PUT', 'DELETE'] as const).find(each => operation.startsWith(`${each} `));
  return method ?? 'GET';
}

/** Path and query, with the parameters of the path filled in. */
function addressOf(
  operation: Operation,
  path: RequestedOptions['path'],
  query: ApiOptions['query'] = {},
): string {
  const [, template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/, (_, name: string) => encodeURIComponent(path?.[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}
