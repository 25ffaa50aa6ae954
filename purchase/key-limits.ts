import { keyEndMaxYears } from './limits.js';

/** `read` reads what the account has; `spend` also buys. */
export const keyScopes = ['read', 'spend'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** What an API key may do. Fixed when it is minted. */
export interface KeyLimits {
  readonly scope: KeyScope;
  /** From this moment on the key is refused; null without an end. */
  readonly expiresAt: Date | null;
  /** What it may spend in a UTC day; null without a limit. */
  readonly maxCreditsPerDay: number | null;
}

/** What a key with a limit has spent of it today. */
export interface KeyDay {
  readonly maxCreditsPerDay: number;
  readonly spentCredits: number;
  /** ISO 8601: the next midnight UTC. */
  readonly resetsAt: string;
}

/** What is wrong with the end of a new key; null if nothing is. */
export function keyEndFault(expiresAt: Date, now: Date): string | null {
  if (expiresAt <= now) return 'must be in the future';
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + keyEndMaxYears);
  return expiresAt > latest ? `must be within ${keyEndMaxYears} years` : null;
}
