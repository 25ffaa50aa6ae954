import type { Request, RequestHandler, Response } from 'express';
import { openAccount, openAccountOfSession } from '../../db/accounts/accounts.js';
import { apiKeyHash, findKeyHolder } from '../../db/accounts/api-keys.js';
import { apiKeyPrefix, isApiKeyShaped } from '../../purchase/api-key.js';
import type { KeyScope } from '../../purchase/key-limits.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { noteKeyUse } from './key-use.js';

/** The authenticated caller. `apiKeyId` is null for a session, which may always spend. */
export interface Principal {
  readonly accountId: string;
  readonly apiKeyId: string | null;
  readonly scope: KeyScope;
}

/**
 * Requires an API key (in either header) or a session.
 * @param needed what a key must be allowed to do
 */
export function anyone(context: ApiContext, needed: KeyScope = 'read'): RequestHandler {
  return async (request, response, next) => {
    const principal = await authenticate(context, request);
    if (needed === 'spend' && principal.scope === 'read')
      throw new Problem('scope_insufficient', 'This API key may only read.');
    setPrincipal(response, principal);
    next();
  };
}

/** Requires a session: a leaked API key must not be able to create others. */
export function sessionOnly(context: ApiContext): RequestHandler {
  return async (request, response, next) => {
    const principal = await authenticate(context, request);
    if (principal.apiKeyId !== null) {
      throw new Problem('session_required', 'This route needs a session token; an API key is not accepted.');
    }
    setPrincipal(response, principal);
    next();
  };
}

/**
 * For a route that also serves callers without a credential: refuses one that is not valid, in whatever form it is
 * given, so that a caller with a mistyped key does not take itself for known.
 */
export function anyoneOrNobody(context: ApiContext): RequestHandler {
  return async (request, response, next) => {
    const given = request.get('x-api-key') ?? request.get('authorization');
    if (given !== undefined) setPrincipal(response, await authenticate(context, request));
    next();
  };
}

/** @throws Error if the route does not authenticate its callers */
export function principalOf(response: Response): Principal {
  const principal = principalIfAny(response);
  if (principal === null) throw new Error('this route does not authenticate its callers');
  return principal;
}

/** Null if the route is public or the credential was refused. */
export function principalIfAny(response: Response): Principal | null {
  const principal: Principal | undefined = response.locals['principal'];
  return principal ?? null;
}

function setPrincipal(response: Response, principal: Principal): void {
  response.locals['principal'] = principal;
}

/** Verifies the credential of a request that no route may require. Null without a valid one. */
export async function identify(context: ApiContext, request: Request): Promise<Principal | null> {
  try {
    return await authenticate(context, request);
  } catch {
    // The route responds to an invalid credential and to a database that is away.
    return null;
  }
}

/** A credential that was verified counts against its own limit from then on. */
async function authenticate(context: ApiContext, request: Request): Promise<Principal> {
  const credential = credentialOf(request);
  if (credential === undefined) throw unauthenticated('Send an API key or a session token.');
  const principal = await verify(context, request, credential);
  context.knownCallers.remember(credential, principal);
  return principal;
}

/** The prefix of a credential selects its one verifier. */
async function verify(context: ApiContext, request: Request, credential: string): Promise<Principal> {
  const header = request.get('x-api-key');
  if (credential.startsWith(apiKeyPrefix)) return authenticateKey(context, request, credential);
  if (header !== undefined) throw unauthenticated('The API key is invalid.');
  return authenticateSession(context, credential);
}

async function authenticateKey(context: ApiContext, request: Request, key: string): Promise<Principal> {
  const holder = isApiKeyShaped(key) ? await findKeyHolder(context.db, apiKeyHash(key)) : null;
  if (holder === null) throw unauthenticated('The API key is invalid or has been revoked.');
  // By the clock of this process, like the end of a session.
  if (holder.expiresAt !== null && holder.expiresAt <= context.now())
    throw unauthenticated('The API key has expired.');
  noteKeyUse(context, request, holder);
  return { accountId: holder.accountId, apiKeyId: holder.apiKeyId, scope: holder.scope };
}

async function authenticateSession(context: ApiContext, token: string): Promise<Principal> {
  const identity = await context.sessions.verify(token);
  if (identity === null) throw unauthenticated('The session token is invalid or has expired.');
  const { sessionId, emailVerified, ...user } = identity;
  const now = context.now();
  const opened = { ...user, verifiedAt: emailVerified ? now : null, newId: context.newId() };
  const account =
    sessionId === null
      ? await openAccount(context.db, opened)
      : await openAccountOfSession(context.db, opened, { sessionId, now });
  if (account === null) throw unauthenticated('The session has ended. Sign in again.');
  return { accountId: account.id, apiKeyId: null, scope: 'spend' };
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail);
}

/** The API key or session token of a request, from either header. */
export function credentialOf(request: Request): string | undefined {
  return request.get('x-api-key') ?? /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
}
