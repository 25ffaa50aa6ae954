import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { signIn } from '../../support/browser/visit-as.js';
import { type SmtpInbox, startSmtpInbox } from '../../support/mail/smtp-inbox.js';
import { nginxPath } from '../../support/public/nginx.js';
import { type PublicService, startPublicService } from '../../support/public/public-service.js';

/** How long a simulated report may take on a busy machine. */
const reportWithinMs = 60_000;

// CI cannot be without nginx: `test/attacks/public-address.test.ts` fails there.
const testBehindProxy = nginxPath === null ? test.skip : test;

describeInBrowser('a visitor of the public address', browser => {
  let inbox: SmtpInbox;
  let service: PublicService;
  beforeAll(async () => {
    if (nginxPath === null) return;
    inbox = await startSmtpInbox();
    service = await startPublicService({
      worker: true,
      env: {
        SMTP_URL: inbox.url,
        MAIL_FROM: 'Council <council@example.test>',
        EMAIL_VERIFICATION: 'required',
        EVIDENCE: 'off',
      },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await inbox?.close();
  });

  testBehindProxy(
    'signs up, confirms the address by mail and reads a free report, all through the proxy',
    async () => {
      const event = '/events/sample-fed-cut-2031';
      const { page, context, troubles } = await browser.visit(`${service.url}/sign-in?to=${event}`);
      await page.getByRole('button', { name: 'Create an account' }).click();
      const email = `${randomUUID()}@example.test`;
      await signIn({ page }, email);
      await page.waitForURL(service.url + event);
      const cookies = await context.cookies();
      expect(cookies.filter(({ name }) => name.includes('session'))).toContainEqual(
        expect.objectContaining({ secure: true, httpOnly: true }),
      );

      const { link } = await inbox.next(email);
      expect(link.startsWith(`${service.url}/`)).toBe(true);
      await page.goto(link);
      await page.getByText('Your address is confirmed.').waitFor();

      await page.goto(service.url + event);
      await page.locator('.purchase-form button[type=submit]').click();
      await page.waitForURL(/\/reports\/\d+$/);
      await page.locator('#probabilities').waitFor({ state: 'attached', timeout: reportWithinMs });
      const { rows } = await service.database.pool.query(
        'select used_by is not null as used from weekly_grants',
      );
      expect(rows).toEqual([{ used: true }]);
      expect(troubles).toEqual([]);
    },
  );
});
