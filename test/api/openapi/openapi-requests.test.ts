import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from '../../../api/openapi/document.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { strictSchemas } from '../../support/expect/strict-schemas.js';
import { useTestBilling } from '../../support/use-service.js';

/**
 * Where a published schema and the parser behind it could easily part: what one lets in, the other must, and no more.
 */

const document: any = createOpenApi('0.0.0');
const schemas = strictSchemas(document);

const billing = await useTestBilling();
const caller = await billing.service.newCaller();

const isPublishedAs = (name: string, value: unknown): boolean =>
  schemas.faultsOf(['components', 'schemas', name], value).length === 0;

const dice = '🎲';

describe('the name of a key', () => {
  const mint = (name: string) => caller.post('/api/keys', { name }, { as: 'session' });

  test.each([
    ['of a hundred characters, each of two halves', dice.repeat(100)],
    ['with blanks about it', '  a  '],
    ['of one letter', 'a'],
  ])('%s is taken, as published', async (_what, name) => {
    expect(isPublishedAs('NewApiKey', { name })).toBe(true);
    const { status, body } = await mint(name);
    expect({ status, name: body.name }).toEqual({ status: 201, name: name.trim() });
  });

  test.each([
    ['of a hundred and one', dice.repeat(101)],
    ['too long but for its blanks', `a${' '.repeat(100)}`],
    ['of blanks alone', ' \u00a0 '],
    ['that ends with a line', 'a\n'],
    ['with a control character of the second kind', 'a\u0085b'],
  ])('%s is refused, as published', async (_what, name) => {
    expect(isPublishedAs('NewApiKey', { name })).toBe(false);
    expectInvalid(await mint(name), ['#/name']);
  });
});

describe('the id of an event', () => {
  test('can have two hundred characters of any kind without matching an event', async () => {
    const wish = { event_id: dice.repeat(200) };
    expect(isPublishedAs('Purchase', wish)).toBe(true);
    expectProblem(await caller.post('/api/reports', wish), 'event_not_found');
    const longer = { event_id: dice.repeat(201) };
    expect(isPublishedAs('Purchase', longer)).toBe(false);
    expectInvalid(await caller.post('/api/reports', longer), ['#/event_id']);
  });
});

describe('the return URL of a checkout', () => {
  const open = (success_url: string) =>
    caller.post('/api/billing/checkout', { pack_id: 'starter', success_url });

  test.each([
    'https://shop.test/paid?order=1#end',
    'http://127.0.0.1:3000/',
    'http://localhost',
    'https://shop.test/paid?session={CHECKOUT_SESSION_ID}',
    'https://xn--bcher-kva.test/%C3%BC',
  ])('%s is taken, as published', async url => {
    expect(isPublishedAs('Checkout', { pack_id: 'starter', success_url: url })).toBe(true);
    expect((await open(url)).status).toBe(201);
  });

  test.each([
    'https://bücher.test/',
    'https://',
    'https://a b.test/',
    'http://999.0.0.1/',
    'http://a.test:99999/',
    'ftp://a.test/',
    ' https://a.test/',
    'javascript:alert(1)',
  ])('%s is refused, as published', async url => {
    expect(isPublishedAs('Checkout', { pack_id: 'starter', success_url: url })).toBe(false);
    expectInvalid(await open(url), ['#/success_url']);
  });
});

describe('an address to sign up with', () => {
  test.each([
    ['you+council@example.com', 200],
    [`${'a'.repeat(80)}@example.com`, 200],
    ['you@localhost', 400],
    ['.you@example.com', 400],
    ['yoü@example.com', 400],
  ])('%s is answered %s, as published', async (address, status) => {
    const email = address.replace('you', `you${Math.random().toString(36).slice(2)}`);
    const person = { name: 'A Person', email, password: 'correct horse battery' };
    expect(isPublishedAs('SignUp', person)).toBe(status === 200);
    expect((await caller.post('/api/auth/sign-up/email', person, { as: 'nobody' })).status).toBe(status);
  });
});

describe('pages and ids', () => {
  test.each([
    ['/api/events?page=50', 200],
    ['/api/events?page=51', 400],
    ['/api/events?page=10&per_page=100', 200],
    ['/api/events?page=11&per_page=100', 400],
    ['/api/credits/ledger?page=10000', 200],
    ['/api/credits/ledger?page=10001', 400],
    ['/api/credits/ledger?per_page=100', 200],
    ['/api/credits/ledger?per_page=101', 400],
    ['/api/stats/track-record/reports?after=999999999999999', 200],
    ['/api/stats/track-record/reports?after=1000000000000000', 400],
    ['/api/reports/999999999999999', 404],
    ['/api/reports/1000000000000000', 400],
  ])('GET %s is answered %s', async (path, status) => {
    expect((await caller.get(path)).status).toBe(status);
  });
});
