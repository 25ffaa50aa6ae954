/** The session token that the API requires. It is kept in memory only; the session itself is a cookie. */
export interface SessionTokens {
  /** Null if no one is signed in. */
  current(): Promise<string | null>;
  /** Discards the token. @returns whether there was one */
  forget(): boolean;
}

/** A token is replaced this long before it expires, because a request takes time. */
const marginMs = 30_000;

export function sessionTokens(): SessionTokens {
  let pending: Promise<string | null> | null = null;
  let expiresAtMs = 0;

  async function fetchToken(): Promise<string | null> {
    const response = await fetch('/api/auth/token', { headers: { accept: 'application/json' } });
    const answer: unknown = response.ok ? await response.json() : null;
    const isToken = typeof answer === 'object' && answer !== null && 'token' in answer;
    if (!isToken || typeof answer.token !== 'string') return null;
    expiresAtMs = expiryMs(answer.token);
    return answer.token;
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
  const payload = token.split('.')[1] ?? '';
  const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  const hasExpiry = typeof claims === 'object' && claims !== null && 'exp' in claims;
  return hasExpiry && typeof claims.exp === 'number' ? claims.exp * 1_000 : 0;
}
