import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { mailRetriedAfterSeconds, mailsWaitingMax } from '../../purchase/limits.js';
import { compose } from './compose.js';
import type { Mail, Mailer } from './mailer.js';

export interface SmtpOptions {
  readonly smtpUrl: string;
  /** `name@example.com` or `Name <name@example.com>` */
  readonly from: string;
  readonly log: Logger;
  /** Called at the end of every mail. */
  readonly count: (result: MailResult) => void;
  readonly retriedAfterSeconds?: readonly number[];
}

export type MailResult = 'sent' | 'failed';

const connectionsMax = 3;
const connectWithinMs = 10_000;
const silentForMs = 20_000;
/** How long `close` waits for mails that are being sent. */
const closeWithinMs = 3_000;

/** Sends by SMTP: a few connections, and some attempts a mail. What waits is kept in memory only. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const transport = openTransport(options.smtpUrl);
  const { log, count, retriedAfterSeconds = mailRetriedAfterSeconds } = options;
  const closing = new AbortController();
  const underway = new Set<Promise<void>>();

  async function attempt(mail: Mail, pausesSeconds: readonly number[]): Promise<void> {
    try {
      await transport.sendMail(messageOf(mail, options.from));
      count('sent');
    } catch (err) {
      const [pauseSeconds, ...later] = pausesSeconds;
      const isLast = pauseSeconds === undefined || isFinal(err) || !(await isOpenAfter(pauseSeconds));
      if (!isLast) return attempt(mail, later);
      count('failed');
      log.error({ err, mail: mail.kind, to: mail.to }, 'a mail was not sent');
    }
  }

  const isOpenAfter = (seconds: number): Promise<boolean> =>
    pause(seconds * 1_000, true, { signal: closing.signal, ref: false }).catch(() => false);

  return {
    send: mail => {
      if (underway.size >= mailsWaitingMax) {
        count('failed');
        log.error({ mail: mail.kind }, 'a mail was not sent, because too many wait for the mail server');
        return;
      }
      const sent = attempt(mail, retriedAfterSeconds).finally(() => underway.delete(sent));
      underway.add(sent);
    },
    close: async () => {
      closing.abort();
      const ended = new AbortController();
      const late = pause(closeWithinMs, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([Promise.all(underway), late]);
      ended.abort();
      transport.close();
    },
  };
}

function openTransport(smtpUrl: string) {
  const { username, hostname } = new URL(smtpUrl);
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connectionsMax,
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    socketTimeout: silentForMs,
    // Credentials never cross a network in clear text.
    requireTLS: username !== '' && !isThisMachine(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const isThisMachine = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

function messageOf(mail: Mail, from: string) {
  return {
    ...compose(mail),
    from,
    // An object, because a text would be parsed as a list of addresses.
    to: { name: '', address: mail.to },
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  };
}

/** The mail server has refused this mail for good (5yz). */
function isFinal(error: unknown): boolean {
  const isAnswer = error instanceof Error && 'responseCode' in error;
  return isAnswer && typeof error.responseCode === 'number' && error.responseCode >= 500;
}
