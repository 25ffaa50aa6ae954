import type { Logger } from 'pino';
import { findAccount, mailAddressOf } from '../../db/accounts/accounts.js';
import type { Db } from '../../db/database.js';
import type { Mailer } from '../../platform/mail/mailer.js';

export interface FailingMailDependencies {
  readonly db: Db;
  readonly mailer: Pick<Mailer, 'send'>;
  /** The address of the service that callers use. */
  readonly publicUrl: string;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Mails the owner of an endpoint that it was disabled, to an address that is known to be theirs. Returns at once and never
 * throws: the endpoint is disabled whether or not a mail can be sent.
 */
export function createFailingMail({ db, mailer, publicUrl, log }: FailingMailDependencies) {
  const mail = async (accountId: string) => {
    const to = mailAddressOf(await findAccount(db, accountId));
    if (to !== null) mailer.send({ kind: 'webhook_disabled', to, link: `${publicUrl}/webhooks` });
  };
  return (accountId: string): void => {
    mail(accountId).catch((err: unknown) =>
      log.warn({ err }, 'the mail about a disabled webhook endpoint was not sent'),
    );
  };
}
