import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createSmtpMailer } from '../../../platform/mail/smtp-mailer.js';
import { send } from '../service/send.js';
import { type Answer, cookieOf, testPassword } from '../service/test-caller.js';
import { startTestService, type TestService, type TestServiceOptions } from '../service/test-service.js';
import { type SmtpInbox, startSmtpInbox } from './smtp-inbox.js';

/** A service without workers that sends its mail to a mail server of the test. */
export interface MailingService {
  readonly service: TestService;
  readonly inbox: SmtpInbox;
  /** A request to `/api/auth`. */
  auth(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Signs up with a new address unless one is given. */
  signUp(email?: string, more?: object): Promise<{ email: string; cookie: string; answer: Answer }>;
  stop(): Promise<void>;
}

export async function startMailingService(options: TestServiceOptions = {}): Promise<MailingService> {
  const inbox = await startSmtpInbox();
  const mailer = createSmtpMailer({
    smtpUrl: inbox.url,
    from: 'Council <council@example.test>',
    log: pino({ level: 'silent' }),
    count: () => undefined,
    retriedAfterSeconds: [0.1, 0.1, 0.1],
  });
  const service = await startTestService({ worker: false, mailer, ...options });
  const auth: MailingService['auth'] = (path, body, headers = {}) =>
    send(`${service.url}/api/auth/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    service,
    inbox,
    auth,
    signUp: async (email = `${randomUUID()}@example.test`, more = {}) => {
      const answer = await auth('sign-up/email', {
        email,
        password: testPassword,
        name: 'A Person',
        ...more,
      });
      return { email, answer, cookie: cookieOf(answer) };
    },
    stop: async () => {
      await service.stop();
      await mailer.close();
      await inbox.close();
    },
  };
}

/** The token in a link of a mail. */
export const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? '';
