import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createMailer } from '../../../platform/mail/create-mailer.js';
import type { Mail, MailKind } from '../../../platform/mail/mailer.js';
import { createSmtpMailer, type MailResult } from '../../../platform/mail/smtp-mailer.js';
import { createLogger, createMailLog } from '../../../platform/settings/logger.js';
import { startSmtpInbox } from '../../support/mail/smtp-inbox.js';
import { until } from '../../support/until.js';

const inbox = await startSmtpInbox();

afterAll(() => inbox.close());

const link = 'https://council.example/new-password?token=one&two=<three>';
const mailTo = (to: string, kind: MailKind = 'new_password'): Mail => ({ kind, to, link });

/** A mailer, with what it logs and counts. */
function observedMailer(smtpUrl: string, retriedAfterSeconds: readonly number[]) {
  const results: MailResult[] = [];
  let lines = '';
  const mailer = createSmtpMailer({
    smtpUrl,
    from: 'Council <council@example.test>',
    log: createLogger('api', { to: { write: line => (lines += line) } }),
    count: result => results.push(result),
    retriedAfterSeconds,
  });
  return { mailer, results, lines: () => lines };
}

/** A mail server that offers no TLS and accepts any password. It keeps the lines that it receives. */
function serverWithoutTls(lines: string[]): Server {
  return createServer(socket => {
    socket.on('error', () => undefined);
    socket.write('220 ready\r\n');
    createInterface({ input: socket }).on('line', line => {
      lines.push(line);
      socket.write(replyTo(line));
    });
  });
}

function replyTo(line: string): string {
  if (line.startsWith('EHLO')) return '250-server\r\n250 AUTH PLAIN\r\n';
  if (line.startsWith('AUTH')) return '235 accepted\r\n';
  if (line === 'DATA') return '354 go on\r\n';
  if (line === '.' || /^(MAIL|RCPT|RSET|NOOP)/.test(line)) return '250 ok\r\n';
  if (line === 'QUIT') return '221 bye\r\n';
  return line === 'STARTTLS' ? '502 not here\r\n' : '';
}

describe('a mail', () => {
  test('arrives as text and HTML, from the configured sender', async () => {
    const { mailer, results } = observedMailer(inbox.url, []);
    mailer.send({ ...mailTo('ann@example.test'), foot: 'Record: entry 7, <hash>' });
    const mail = await inbox.next('ann@example.test');
    expect(mail).toMatchObject({ to: ['ann@example.test'], from: 'council@example.test', link });
    expect(mail.headers).toContain('from: council <council@example.test>');
    expect(mail.html).toContain(
      'href="https://council.example/new-password?token=one&amp;two=&lt;three&gt;"',
    );
    expect(mail.text.trimEnd()).toMatch(/\n\s*\nRecord: entry 7, <hash>$/);
    expect(mail.html).toContain('<p>Record: entry 7, &lt;hash&gt;</p>');
    await until('it is counted', () => results.length === 1);
    expect(results).toEqual(['sent']);
    await mailer.close();
  });

  test('is sent again after a passing failure, and not after a lasting one', async () => {
    const { mailer, results } = observedMailer(inbox.url, [0.05, 0.05, 0.05, 0.05]);
    inbox.refuseWith(421);
    mailer.send(mailTo('bob@example.test'));
    await until('it is refused once', () => inbox.refused > 0);
    inbox.refuseWith(null);
    await inbox.next('bob@example.test');
    inbox.refuseWith(554);
    mailer.send(mailTo('cem@example.test'));
    await until('it is given up', () => results.includes('failed'));
    inbox.refuseWith(null);
    expect(results).toEqual(['sent', 'failed']);
    await mailer.close();
  });

  test('to a server that is down is counted and logged without its link', async () => {
    const { mailer, results, lines } = observedMailer('smtp://user:canary@127.0.0.1:1', [0.01]);
    mailer.send(mailTo('dora@example.test'));
    await until('it is given up', () => results.length === 1);
    expect(results).toEqual(['failed']);
    expect(lines()).toContain('a mail was not sent');
    expect(lines()).not.toMatch(/canary|token=one/);
    await mailer.close();
  });

  test.each([
    ['crosses no network in clear text', '[::ffff:127.0.0.1]', 'failed', false],
    ['is sent to this machine as it is', '127.0.0.1', 'sent', true],
  ])('with a password %s', async (_what, host, result, isSent) => {
    const lines: string[] = [];
    const server = serverWithoutTls(lines);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { mailer, results } = observedMailer(`smtp://user:canary@${host}:${port}`, []);
    mailer.send(mailTo('gus@example.test'));
    await until('it is decided', () => results.length === 1);
    expect(results).toEqual([result]);
    expect(lines.some(line => line.startsWith('AUTH'))).toBe(isSent);
    await mailer.close();
    server.close();
  });

  test('that waits for its next attempt does not hold up the end of the process', async () => {
    const { mailer, results } = observedMailer('smtp://127.0.0.1:1', [3_600]);
    mailer.send(mailTo('eli@example.test'));
    await mailer.close();
    expect(results).toEqual(['failed']);
  });
});

test('without a mail server, a mail is one line of the log, with a link that works', () => {
  let lines = '';
  const mailer = createMailer(
    {},
    {
      log: pino({ level: 'silent' }),
      mailLog: createMailLog({ write: line => (lines += line) }),
      count: () => undefined,
    },
  );
  mailer.send(mailTo('fay@example.test', 'verify_address'));
  const [line = '', ...others] = lines.trimEnd().split('\n');
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ mail: 'verify_address', to: 'fay@example.test', link });
});

test('an address that has no mailbox by its name gets no mail', () => {
  let lines = '';
  const mailLog = createMailLog({ write: line => (lines += line) });
  const mailer = createMailer({}, { log: pino({ level: 'silent' }), mailLog, count: () => undefined });
  mailer.send(mailTo('demo@council.invalid'));
  expect(lines).toBe('');
});
