import { z } from 'zod';

/** The session token that the API requires. It is kept in memory only; the session itself is a cookie. */
export interface SessionTokens {
  /** Null if no one is signed in. */
  current(): Promise<string | null>;
  /** Discards the token. @returns whether there was one */
  forget(): boolean;
}

const tokenShape = z.object({ token: z.string() });
const claimsShape = z.object({ exp: z.number() });
/** A token is replaced this long before it expires, because a request takes time. */
const marginMs = 30_000;

export function sessionTokens(): SessionTokens {
  let pending: Promise<string | null> | null = null;
  let expiresAtMs = 0;

  async function fetchToken(): Promise<string | null> {
    const response = await fetch('/api/auth/token', { headers: { accept: 'application/json' } });
    const parsed = tokenShape.safeParse(response.ok ? await response.json() : null);
    if (!parsed.success) return null;
    expiresAtMs = expiryMs(parsed.data.token);
    return parsed.data.token;
  }

  return {
    current: async () => {
      if (pending !== null && Date.now() > expiresAtMs - marginMs) pending = null;
      if (pending === null) {
        expiresAtMs = Number.POSITIVE_INFINITY;
        pending = fetchToken().catch(() => null);
      }
      const token = await pending;
      // No one is signed in yet: the next request may follow a sign-in.
      if (token === null) pending = null;
      return token;
    },
    forget: () => {
      const existed = pending !== null;
      pending = null;
      return existed;
    },
  };
}

function expiryMs(token: string): number {
  const claims = token.split('.')[1] ?? '';
  const parsed = claimsShape.safeParse(JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))));
  return parsed.success ? parsed.data.exp * 1_000 : 0;
}
