import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { keyNetworkMailsPerDay, newKeyMailsPerDay } from '../../../purchase/limits.js';
import { send } from '../../support/service/send.js';
import { until } from '../../support/until.js';
import { useMailingService } from '../../support/use-service.js';

const world = await useMailingService({ trustedProxies: ['127.0.0.1'] });
const { service, inbox } = world;

const home = '192.0.2.10';

/** A signed-in account whose mail about its address has arrived. */
async function newOwner(isVerified = true) {
  const { email, cookie } = await world.signUp(`${randomUUID()}@example.test`);
  const { link } = await inbox.next(email);
  if (isVerified) await fetch(link, { redirect: 'manual' });
  const token = await send(`${service.url}/api/auth/token`, { headers: { cookie } });
  const authorization = `Bearer ${token.body.token}`;
  const keys = (method: string, path = '', body?: object) =>
    send(`${service.url}/api/keys${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', 'x-forwarded-for': home },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const mint = async () => (await keys('POST', '', { name: 'https://evil.example <b>' })).body;
  const seen = async (id: string): Promise<string> =>
    (await keys('GET')).body.keys.find((key: { id: string }) => key.id === id)?.last_used_from;
  return { email, mint, seen, revoke: (id: string) => keys('DELETE', `/${id}`) };
}

const use = (key: string, from: string) =>
  send(`${service.url}/api/credits/balance`, { headers: { 'x-api-key': key, 'x-forwarded-for': from } });

const mailsTo = (email: string, subject: RegExp) =>
  inbox.mails.filter(mail => mail.to.includes(email) && subject.test(mail.subject));

test('the owner gets a mail about a new key, with its first characters and nothing that a caller wrote', async () => {
  const owner = await newOwner();
  const { key } = await owner.mint();
  const mail = await inbox.next(owner.email);
  expect(mail.subject).toBe('An API key was created');
  expect(mail.link).toBe(`${service.url}/keys`);
  expect(mail.text).toContain(key.slice(0, 12));
  expect(mail.text + mail.html).not.toMatch(/evil/);
  expect(mail.text + mail.html).not.toContain(key.slice(12));
});

test('the first use from a network is mailed once, that from the network of its creation is not', async () => {
  const owner = await newOwner();
  const { id, key } = await owner.mint();
  await inbox.next(owner.email);
  expect((await use(key, '192.0.2.99')).status).toBe(200);
  await until('the use is stored', async () => (await owner.seen(id)) === '192.0.2.0/24');
  await Promise.all(Array.from({ length: 20 }, () => use(key, '203.0.113.5')));
  const mail = await inbox.next(owner.email);
  expect(mail.subject).toBe('An API key was used from a new network');
  expect(mail.text).toContain('203.0.113.0/24');
  expect(mail.text).not.toContain('203.0.113.5');
  await use(key, '203.0.113.200');
  await use(key, '198.51.100.1');
  expect((await inbox.next(owner.email)).text).toContain('198.51.100.0/24');
  expect(mailsTo(owner.email, /new network/)).toHaveLength(2);
});

test('no more mails a day are sent than a person reads', async () => {
  const owner = await newOwner();
  const { id, key } = await owner.mint();
  for (let site = 1; site <= keyNetworkMailsPerDay + 5; site++) {
    await use(key, `10.1.${site}.1`);
    await until(`network ${site} is stored`, async () => {
      const { rows } = await service.database.pool.query('select networks_seen from api_keys where id = $1', [
        id,
      ]);
      return rows[0].networks_seen.length === site + 1;
    });
  }
  for (let made = 0; made < newKeyMailsPerDay + 5; made++) await owner.revoke((await owner.mint()).id);
  const other = await newOwner();
  await other.mint();
  await inbox.next(other.email);
  expect(mailsTo(owner.email, /new network/)).toHaveLength(keyNetworkMailsPerDay);
  expect(mailsTo(owner.email, /was created/)).toHaveLength(newKeyMailsPerDay);
});

test('an address that nobody has confirmed gets neither', async () => {
  const stranger = await newOwner(false);
  const { id, key } = await stranger.mint();
  await use(key, '203.0.113.5');
  await until('the use is stored', async () => (await stranger.seen(id)) === '203.0.113.0/24');
  const other = await newOwner();
  await other.mint();
  await inbox.next(other.email);
  expect(mailsTo(stranger.email, /API key/)).toEqual([]);
});
