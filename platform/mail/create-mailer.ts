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

/**
 * Sends by SMTP if it is configured, and otherwise writes each mail to the log. An address below `.invalid` has no
 * mailbox (RFC 2606): it gets no mail.
 */
export function createMailer(settings: MailSettings, means: MailMeans): Mailer {
  const sender = createSender(settings, means);
  return {
    send: mail => {
      if (!mail.to.toLowerCase().endsWith('.invalid')) sender.send(mail);
    },
    close: () => sender.close(),
  };
}

function createSender({ SMTP_URL, MAIL_FROM }: MailSettings, { log, mailLog, count }: MailMeans): Mailer {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined) {
    return createSmtpMailer({ smtpUrl: SMTP_URL, from: MAIL_FROM, log, count });
  }
  return {
    send: ({ kind, to, link }) =>
      mailLog.info({ mail: kind, to, link }, 'a mail, because SMTP_URL is not set'),
    close: () => Promise.resolve(),
  };
}
