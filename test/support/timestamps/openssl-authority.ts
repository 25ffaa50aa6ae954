import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeServer, listen } from '../listen.js';

const run = promisify(execFile);

/** False on a machine without OpenSSL, where these tests are skipped by name. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
export const skippedWithoutOpenssl = hasOpenssl ? '' : ' (skipped: openssl is not installed here)';

/** A time-stamp authority as OpenSSL implements it, with certificates of its own, behind HTTP. */
export interface OpensslAuthority {
  readonly url: string;
  /** The file of its root certificate, in PEM. */
  readonly certificates: string;
  /** How many requests have arrived. */
  readonly requests: () => number;
  /** Changes responses before they are sent. */
  misbehave(change: ((reply: Buffer, query: Buffer) => Buffer | Promise<Buffer>) | null): void;
  /** A reply to another request. */
  reply(query: Buffer): Promise<Buffer>;
  /** Verifies a token as a stranger would. @throws Error with what OpenSSL says */
  verify(token: Buffer, digestHex: string): Promise<string>;
  close(): Promise<void>;
}

const keys = { rsa: ['-newkey', 'rsa:2048'], ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] };

export async function startOpensslAuthority(kind: keyof typeof keys = 'rsa'): Promise<OpensslAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'council-tsa-'));
  const openssl = (...words: string[]) => run('openssl', words, { cwd: folder });
  writeFileSync(join(folder, 'tsa.cnf'), tsaConfig);
  writeFileSync(join(folder, 'tsa.ext'), 'extendedKeyUsage=critical,timeStamping\n');
  const request = ['req', ...keys[kind], '-nodes', '-subj', '/CN=tests'];
  await openssl(...request, '-x509', '-days', '2', '-keyout', 'ca.key', '-out', 'ca.pem');
  await openssl(...request, '-new', '-keyout', 'tsa.key', '-out', 'tsa.csr');
  const issue = ['x509', '-req', '-in', 'tsa.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  await openssl(...issue, '-days', '2', '-extfile', 'tsa.ext', '-out', 'tsa.pem');

  let [requests, files] = [0, 0];
  let change: Parameters<OpensslAuthority['misbehave']>[0] = null;
  const reply = async (query: Buffer): Promise<Buffer> => {
    const name = `${++files}.tsq`;
    writeFileSync(join(folder, name), query);
    const words = ['ts', '-reply', '-config', 'tsa.cnf', '-queryfile', name];
    return (await run('openssl', words, { cwd: folder, encoding: 'buffer' })).stdout;
  };
  const server = createServer((incoming, response) => {
    requests++;
    const pieces: Buffer[] = [];
    incoming.on('data', piece => pieces.push(piece));
    incoming.on('end', () => {
      const query = Buffer.concat(pieces);
      void reply(query)
        .then(right => (change === null ? right : change(right, query)))
        .then(
          body => response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(body),
          () => response.writeHead(500).end(),
        );
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}/tsr`,
    certificates: join(folder, 'ca.pem'),
    requests: () => requests,
    misbehave: next => {
      change = next;
    },
    reply,
    verify: async (token, digestHex) => {
      writeFileSync(join(folder, 'token.der'), token);
      const asked = ['-digest', digestHex, '-in', 'token.der', '-token_in', '-CAfile', 'ca.pem'];
      const { stdout, stderr } = await openssl('ts', '-verify', ...asked);
      return stdout + stderr;
    },
    close: async () => {
      await closeServer(server);
      rmSync(folder, { recursive: true });
    },
  };
}

const tsaConfig = `
[tsa]
default_tsa = tests
[tests]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = ca.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`;
