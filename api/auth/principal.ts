import type { Request, RequestHandler, Response } from 'express';
import { apiKeyPrefix, isApiKeyShaped } from '../../council/api-key.js';
import { openAccount } from '../../db/accounts/accounts.js';
import { apiKeyHash, findKeyHolder, noteKeyUse } from '../../db/accounts/api-keys.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/** Who is asking. `apiKeyId` is null for a session. */
export interface Principal {
  readonly accountId: string;
  readonly apiKeyId: string | null;
}

/** The last use of a key is noted at most this often: it is for people to look at, not for the rules. */
const keyUseNotedEveryMs = 60_000;

/** Lets in an API key (either header form) or a session. */
export function anyone(context: ApiContext): RequestHandler {
  return async (request, response, next) => {
    setPrincipal(response, await identify(context, request));
    next();
  };
}

/** Lets in a session only: a leaked API key must not be able to mint others. */
export function sessionOnly(context: ApiContext): RequestHandler {
  return async (request, response, next) => {
    const principal = await identify(context, request);
    if (principal.apiKeyId !== null) {
      throw new Problem(
        'session_required',
        'Sign in and use the session token here; an API key is not enough.',
      );
    }
    setPrincipal(response, principal);
    next();
  };
}

/** @throws Error when the route forgot to demand a credential. */
export function principalOf(response: Response): Principal {
  const principal = principalIfAny(response);
  if (principal === null) throw new Error('this route demands no credential');
  return principal;
}

/** Null where nobody was let in: the route is open, or the credential was refused. */
export function principalIfAny(response: Response): Principal | null {
  const principal: Principal | undefined = response.locals['principal'];
  return principal ?? null;
}

function setPrincipal(response: Response, principal: Principal): void {
  response.locals['principal'] = principal;
}

/** A credential is tried by exactly one verifier, chosen by its prefix alone. */
async function identify(context: ApiContext, request: Request): Promise<Principal> {
  const header = request.get('x-api-key');
  const credential = credentialOf(request);
  if (credential === undefined) throw unauthenticated('Send an API key or a session token.');
  if (credential.startsWith(apiKeyPrefix)) return identifyKey(context, credential);
  if (header !== undefined) throw unauthenticated('The API key is not valid.');
  return identifySession(context, credential);
}

async function identifyKey(context: ApiContext, key: string): Promise<Principal> {
  const holder = isApiKeyShaped(key) ? await findKeyHolder(context.db, apiKeyHash(key)) : null;
  if (holder === null) throw unauthenticated('The API key is not valid, or it was revoked.');
  const now = context.now();
  if (holder.lastUsedAt === null || now.getTime() - holder.lastUsedAt.getTime() > keyUseNotedEveryMs) {
    noteKeyUse(context.db, holder.apiKeyId, now).catch((error: unknown) => {
      context.log.warn({ err: error }, 'the use of an API key was not noted');
    });
  }
  return { accountId: holder.accountId, apiKeyId: holder.apiKeyId };
}

async function identifySession(context: ApiContext, token: string): Promise<Principal> {
  const identity = await context.sessions.verify(token);
  if (identity === null) throw unauthenticated('The session token is not valid, or it has expired.');
  const account = await openAccount(context.db, { ...identity, newId: context.newId() });
  return { accountId: account.id, apiKeyId: null };
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail);
}

/** The API key or session token that a request carries, in either header. */
export function credentialOf(request: Request): string | undefined {
  return request.get('x-api-key') ?? /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
}
