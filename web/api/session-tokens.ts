import { z } from 'zod';

/** The token that the API wants of whoever is signed in. It is kept in memory only; the session itself is a cookie. */
export interface SessionTokens {
  /** Null where nobody is signed in. */
  current(): Promise<string | null>;
  /** Asks for another one next time. @returns whether there was one */
  forget(): boolean;
}

const tokenShape = z.object({ token: z.string() });
const claimsShape = z.object({ exp: z.number() });
/** So long before its end a token is not used any more: a request takes its time. */
const marginMs = 30_000;

export function sessionTokens(): SessionTokens {
  let asked: Promise<string | null> | null = null;
  let endsAtMs = 0;

  async function fetchToken(): Promise<string | null> {
    const response = await fetch('/api/auth/token', { headers: { accept: 'application/json' } });
    const parsed = tokenShape.safeParse(response.ok ? await response.json() : null);
    if (!parsed.success) return null;
    endsAtMs = endOf(parsed.data.token);
    return parsed.data.token;
  }

  return {
    current: async () => {
      if (asked !== null && Date.now() > endsAtMs - marginMs) asked = null;
      if (asked === null) {
        endsAtMs = Number.POSITIVE_INFINITY;
        asked = fetchToken().catch(() => null);
      }
      const token = await asked;
      // Nobody is signed in: the next question may come after a sign-in.
      if (token === null) asked = null;
      return token;
    },
    forget: () => {
      const had = asked !== null;
      asked = null;
      return had;
    },
  };
}

function endOf(token: string): number {
  const claims = token.split('.')[1] ?? '';
  const parsed = claimsShape.safeParse(JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))));
  return parsed.success ? parsed.data.exp * 1_000 : 0;
}
