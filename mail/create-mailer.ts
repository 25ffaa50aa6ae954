import type { Logger } from 'pino';
import type { Mailer } from './mailer.js';
import { createSmtpMailer, type MailResult } from './smtp-mailer.js';

interface MailSettings {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
}

interface MailMeans {
  readonly log: Logger;
  /** Writes the link of a mail unchanged. See `createMailLog`. */
  readonly mailLog: Logger;
  readonly count: (result: MailResult) => void;
}

/** Sends by SMTP if it is configured, and otherwise writes each mail to the log. */
export function createMailer({ SMTP_URL, MAIL_FROM }: MailSettings, means: MailMeans): Mailer {
  const { log, mailLog, count } = means;
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined) {
    return createSmtpMailer({ smtpUrl: SMTP_URL, from: MAIL_FROM, log, count });
  }
  return {
    send: ({ kind, to, link }) =>
      mailLog.info({ mail: kind, to, link }, 'a mail, because SMTP_URL is not set'),
    close: () => Promise.resolve(),
  };
}
