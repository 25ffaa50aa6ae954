import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';

/** The person behind a session token. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
}

export interface SessionVerifier {
  /** Null for a token that is not good. @throws when the keys cannot be had. */
  verify(token: string): Promise<Identity | null>;
}

/** Asymmetric only: a token signed with a public key used as an HMAC secret can then never pass. */
const algorithms = ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'];
const clockToleranceSeconds = 5;

/** @param keys the public keys of the one issuer that is trusted here. */
export function createSessionVerifier(trusted: {
  keys: JWTVerifyGetKey;
  issuer: string;
  audience: string;
}): SessionVerifier {
  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, trusted.keys, {
          algorithms,
          issuer: trusted.issuer,
          audience: trusted.audience,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: clockToleranceSeconds,
        });
        const { sub, email } = payload;
        if (sub === undefined || sub === '') return null;
        return { issuer: trusted.issuer, subject: sub, email: typeof email === 'string' ? email : null };
      } catch (error) {
        if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return null;
        throw error;
      }
    },
  };
}
