import { randomUUID } from 'node:crypto';
import { findAccountsByEmail } from '../../../db/accounts/accounts.js';
import type { Db } from '../../../db/database.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { type Answer, expectConforming } from '../expect/expect-conforming.js';
import { scanAnswer } from '../expect/scan-answer.js';
import type { send } from './send.js';
import { useUpGrants } from './use-up-grants.js';

export type { Answer };

export interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Default: the API key. */
  readonly as?: 'key' | 'session' | 'nobody';
}

/** The password of every test account. */
export const testPassword = 'correct horse battery';

/** How a caller's requests are sent: by `fetch` unless something else is needed, such as a certificate to trust. */
type Exchange = (
  url: string,
  sent: { method: string; headers: Record<string, string>; body?: string },
) => ReturnType<typeof send>;

/** A customer with a new account, over HTTP. */
export class TestCaller {
  readonly url: string;
  readonly accountId: string;
  readonly email: string;
  readonly session: string;
  /** The session cookie of a browser. */
  readonly cookie: string;
  readonly key: string;
  private readonly exchange: Exchange;

  private constructor(
    exchange: Exchange,
    fields: Pick<TestCaller, 'url' | 'accountId' | 'email' | 'session' | 'cookie' | 'key'>,
  ) {
    this.exchange = exchange;
    this.url = fields.url;
    this.accountId = fields.accountId;
    this.email = fields.email;
    this.session = fields.session;
    this.cookie = fields.cookie;
    this.key = fields.key;
  }

  /** Opens an account. Its weekly grant is used up unless `weeklyGrant` is set. */
  static async signUp(
    url: string,
    db: Db,
    credits: number,
    { weeklyGrant = false }: { weeklyGrant?: boolean } = {},
    exchange: Exchange = fetchExchange,
  ): Promise<TestCaller> {
    const email = `${randomUUID()}@example.test`;
    const signUp = await exchange(`${url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: testPassword, name: 'Test' }),
    });
    const cookie = cookieOf(signUp);
    const token = await exchange(`${url}/api/auth/token`, { method: 'GET', headers: { cookie } });
    const session: string = token.body.token;
    const minted = await exchange(`${url}/api/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session}` },
      body: JSON.stringify({ name: 'test' }),
    });
    const { key } = minted.body;
    const [account] = await findAccountsByEmail(db, email);
    if (account === undefined) throw new Error('signing up opened no account');
    if (!weeklyGrant) await useUpGrants(db, account.id, new Date());
    if (credits > 0) {
      await grantCredits(db, {
        accountId: account.id,
        credits,
        reason: 'test',
        operationId: randomUUID(),
        now: new Date(),
      });
    }
    return new TestCaller(exchange, { url, accountId: account.id, email, session, cookie, key });
  }

  get(path: string, ask: Ask = {}): Promise<Answer> {
    return this.ask('GET', path, ask);
  }

  post(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    return this.ask('POST', path, { ...ask, body });
  }

  put(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    return this.ask('PUT', path, { ...ask, body });
  }

  patch(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    return this.ask('PATCH', path, { ...ask, body });
  }

  delete(path: string, ask: Ask = {}): Promise<Answer> {
    return this.ask('DELETE', path, ask);
  }

  /** Buys a report. */
  buy(eventId: string, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.post('/api/reports', { event_id: eventId, ...more }, { headers });
  }

  /** Reads a report until it is completed or failed. */
  async untilEnded(reportId: number): Promise<any> {
    for (;;) {
      const { body } = await this.get(`/api/reports/${reportId}`, { headers: { prefer: 'wait=20' } });
      if (body.status === 'completed' || body.status === 'failed') return body;
      if (body.status !== 'pending' && body.status !== 'processing') throw new Error(JSON.stringify(body));
    }
  }

  /** Buys a report and reads it until it is completed or failed. */
  async run(eventId: string, more: object = {}, headers: Record<string, string> = {}): Promise<any> {
    return this.untilEnded((await this.buy(eventId, more, headers)).body.report_id);
  }

  /** The workflow of the report on an event that this account buys today. */
  workflowId(eventId: string): string {
    return `report/${this.accountId}/${eventId}/${new Date().toISOString().slice(0, 10)}`;
  }

  async balance(): Promise<number> {
    return (await this.get('/api/credits/balance')).body.balance_credits;
  }

  async ledger(): Promise<any[]> {
    return (await this.get('/api/credits/ledger?per_page=100')).body.entries;
  }

  private async ask(method: string, path: string, { body, headers = {}, as = 'key' }: Ask): Promise<Answer> {
    const credential: Record<string, string> =
      as === 'key'
        ? { 'x-api-key': this.key }
        : as === 'session'
          ? { authorization: `Bearer ${this.session}` }
          : {};
    const answer = await this.exchange(this.url + path, {
      method,
      headers: {
        ...credential,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // Responses of the identity provider contain session tokens.
    if (!path.startsWith('/api/auth/')) scanAnswer(answer.body);
    return answer;
  }
}

/** The cookies that a response sets, as a `Cookie` header. */
export function cookieOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map(item => item.split(';')[0])
    .join('; ');
}

/**
 * Checks every response against the OpenAPI document. Each request has its own connection: compiling the document's
 * schemas blocks this process for seconds on a busy machine, in which a server closes a connection that it kept.
 */
const fetchExchange: Exchange = async (url, sent) => {
  const response = await fetch(url, { ...sent, headers: { ...sent.headers, connection: 'close' } });
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  const answer = { status: response.status, headers: response.headers, body };
  expectConforming({ method: sent.method, path: url.replace(/^https?:\/\/[^/]+/, '') }, answer);
  return answer;
};
