import { expect, test } from '@jest/globals';
import { describeService } from '../../cli/launch/first-start.js';
import { readSettings } from '../../platform/settings/settings.js';

const readyLine = (env: Record<string, string>) =>
  describeService({
    settings: readSettings(env),
    url: 'http://127.0.0.1:3000',
    uiUrl: undefined,
    metricsUrl: 'http://127.0.0.1:9464/metrics',
    simulator: '',
    demo: null,
  })
    .split('\n')
    .at(-1);

test('the ready line says where mail goes', () => {
  const ready = 'Ready: API http://127.0.0.1:3000 · Metrics http://127.0.0.1:9464/metrics';
  expect(readyLine({})).toBe(`${ready} · mail is written to the log, because SMTP_URL is not set`);
  const sent = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'council@example.com' };
  expect(readyLine(sent)).toBe(ready);
});
