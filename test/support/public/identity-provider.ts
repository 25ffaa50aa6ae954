import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { closeServer, listen } from '../listen.js';
import { type Claims, forge, type SigningKey, secondsFromNow } from '../machine/forge.js';

/** An external identity provider: signs session tokens and serves its current public key. */
export interface IdentityProvider {
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** The public key of the current signer. */
  readonly publicKey: JWK;
  /** A valid token, with some claims replaced. */
  token(claims?: Claims): Promise<string>;
  /** Signs with a new key from now on and publishes only that one. */
  rotate(): Promise<void>;
  /** Replaces the response of `/jwks`; null restores it. */
  answerWith(answer: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

interface Signer {
  readonly kid: string;
  readonly privateKey: SigningKey;
  readonly publicKey: JWK;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let signer = await newSigner(1);
  let answer: ((response: ServerResponse) => void) | null = null;
  const server = createServer((_request, response) => {
    if (answer !== null) answer(response);
    else
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ keys: [signer.publicKey] }));
  });
  const [issuer, audience] = ['https://id.example.test', 'council'];
  let signers = 1;
  return {
    jwksUrl: `http://127.0.0.1:${await listen(server)}/jwks`,
    issuer,
    audience,
    get publicKey() {
      return signer.publicKey;
    },
    token: claims =>
      forge(
        {
          iss: issuer,
          aud: audience,
          sub: 'someone',
          exp: secondsFromNow(600),
          email: 'someone@example.test',
          ...claims,
        },
        signer.privateKey,
        { alg: 'RS256', kid: signer.kid },
      ),
    rotate: async () => {
      signers++;
      signer = await newSigner(signers);
    },
    answerWith: next => {
      answer = next;
    },
    close: () => closeServer(server),
  };
}

async function newSigner(count: number): Promise<Signer> {
  const kid = `signer-${count}`;
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return { kid, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}
