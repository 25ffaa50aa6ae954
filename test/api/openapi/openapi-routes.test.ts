import { describe, expect, test } from '@jest/globals';
import { type Express, Router } from 'express';
import { createApp } from '../../../api/app.js';
import { operations } from '../../../contract/operations.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { unlimitedSales } from '../../council/fixtures.js';
import { accountLibraryRoutes } from '../../support/expect/account-library.js';
import { routesOf } from '../../support/expect/routes-of.js';

/** Never called: an app is built, and asked nothing. */
const context: any = {
  publicUrl: 'https://council.test',
  accounts: { handle: () => undefined },
  pages: { assets: '.', render: () => undefined, renderReference: () => '' },
  trustedProxies: [],
  policy: unlimitedSales,
  limits: { attempts: null },
  keyRing: [],
  // A page of figures is registered once a registry.
  get metrics() {
    return createMetrics();
  },
  randomBytes: (count: number) => new Uint8Array(count),
};

/** What is no part of the JSON interface: pages for people, and libraries with rules of their own. */
const elsewhere = [
  'ALL /api/auth/*path',
  'ALL /mcp',
  'GET /.well-known/security.txt',
  'GET /docs',
  'GET /docs/{*document}',
  'GET /llms.txt',
  'GET /robots.txt',
  'GET /{*path}',
  'USE /assets',
];

const described = Object.values(operations).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const ofAccounts = described.filter(line => line.includes(' /api/auth/'));

const jsonRoutes = (make: () => Express) => routesOf(make).filter(line => !elsewhere.includes(line));

describe('the document', () => {
  test('describes every route and no other', () => {
    const others = described.filter(line => !ofAccounts.includes(line));
    expect(jsonRoutes(() => createApp(context))).toEqual(others.sort());
  });

  test('describes only existing routes of the account library', async () => {
    const there = (await accountLibraryRoutes()).flatMap(({ methods, path }) =>
      methods.map(method => `${method} ${path}`),
    );
    expect(there).toEqual(expect.arrayContaining(ofAccounts));
  });

  test('fails this test for an undocumented route at any level', () => {
    const planted = () => {
      const app = createApp(context);
      app.get('/planted', () => undefined);
      const deep = Router().delete('/:id', () => undefined);
      app.use('/api/planted', Router().use('/deep', deep));
      app.use('/api/answers-itself', () => undefined);
      return app;
    };
    expect(jsonRoutes(planted).filter(line => /planted|itself/.test(line))).toEqual([
      'DELETE /api/planted/deep/{id}',
      'GET /planted',
      'USE /api/answers-itself',
    ]);
  });
});
