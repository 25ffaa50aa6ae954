import { type CompactJWSHeaderParameters, CompactSign, type generateKeyPair } from 'jose';

export type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** The claims of a session token. Undefined omits a claim. */
export interface Claims {
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly sub?: unknown;
  readonly exp?: unknown;
  readonly nbf?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

/** A token with any claims, signed with any key. */
export function forge(
  claims: Claims,
  key: SigningKey | Uint8Array,
  header: CompactJWSHeaderParameters,
): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader(header).sign(key);
}

/** A token with the algorithm `none`. */
export function unsigned(claims: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}

export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}
