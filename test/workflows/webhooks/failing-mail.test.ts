import { expect, test } from '@jest/globals';
import { createFailingMail } from '../../../activities/webhooks/mail-failing.js';
import type { Mail } from '../../../platform/mail/mailer.js';
import { useTestWorld } from '../../db/support/test-world.js';
import { until } from '../../support/until.js';

const world = useTestWorld();

test('the owner of a disabled endpoint gets a mail at an address that is known to be theirs, and nobody else', async () => {
  const sent: Mail[] = [];
  const warned: unknown[] = [];
  const mail = createFailingMail({
    db: world.db,
    mailer: { send: each => void sent.push(each) },
    publicUrl: 'https://council.example',
    log: { warn: (...said: unknown[]) => void warned.push(said) },
  });
  const [unverified, verified] = [await world.openAccount(), await world.openAccount()];
  await world.sql(`update accounts set email = 'a@example.com' where id = $1`, [unverified]);
  await world.sql(`update accounts set email = 'b@example.com', email_verified_at = now() where id = $1`, [
    verified,
  ]);
  mail(unverified);
  mail(verified);
  await until('one is sent', () => sent.length > 0);
  expect(sent).toEqual([
    { kind: 'webhook_disabled', to: 'b@example.com', link: 'https://council.example/webhooks' },
  ]);
  expect(warned).toEqual([]);
});
