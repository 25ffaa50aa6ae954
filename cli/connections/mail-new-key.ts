import { type Account, mailAddressOf } from '../../db/accounts/accounts.js';
import { createMailer } from '../../platform/mail/create-mailer.js';
import { createLogger, createMailLog } from '../../platform/settings/logger.js';
import { publicUrlOf, type Settings } from '../../platform/settings/settings.js';

/**
 * Mails the owner of an account that an operator has made a key for it, to an address that is known to be theirs. A mail
 * that cannot be sent within some seconds is logged, and the key stays.
 */
export async function mailNewKey(settings: Settings, account: Account, keyPrefix: string): Promise<void> {
  const to = mailAddressOf(account);
  if (to === null) return;
  const log = createLogger('council', { level: 'error' });
  const mailer = createMailer(settings, { log, mailLog: createMailLog(), count: () => undefined });
  mailer.send({
    kind: 'key_created',
    to,
    link: `${publicUrlOf(settings)}/keys`,
    foot: `The key begins with ${keyPrefix}.`,
  });
  await mailer.close();
}
