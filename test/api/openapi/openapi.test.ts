import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from '../../../api/openapi/document.js';
import { tags } from '../../../api/openapi/introduction.js';
import { problemCodesOf } from '../../../api/openapi/problems.js';
import type { Operation } from '../../../contract/operation.js';
import { operations as table } from '../../../contract/operations.js';
import { type ProblemCode, problems } from '../../../contract/problems.js';
import { evidenceRules } from '../../../council/evidence/assemble-evidence.js';
import { estimateMethod, method } from '../../../council/method.js';
import { figuresVersion } from '../../../record/figures/track-record.js';
import { graderVersion } from '../../../record/grades/grade.js';
import { recordVersions } from '../../../record/recorded-forecast.js';
import { strictSchemas } from '../../support/expect/strict-schemas.js';

const document: any = JSON.parse(JSON.stringify(createOpenApi('1.2.3')));
const schemas = strictSchemas(document);

/** Every part of the document that has a key of this name, with its place. */
function partsWith(key: string, part: any = document, place: readonly string[] = []): [string[], any][] {
  if (typeof part !== 'object' || part === null) return [];
  const own: [string[], any][] = !Array.isArray(part) && key in part ? [[[...place], part]] : [];
  return [
    ...own,
    ...Object.entries(part).flatMap(([name, inner]) => partsWith(key, inner, [...place, name])),
  ];
}

function at(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce((part: any, key) => part?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

const named: [string, Operation][] = Object.entries(table);
const operations: Operation[] = Object.values(table);
const described = (operation: Operation) => document.paths[operation.path][operation.method];

describe('the document', () => {
  test('has the given version and is OpenAPI 3.1', () => {
    expect(document).toMatchObject({ openapi: '3.1.1', info: { version: '1.2.3' }, servers: [{ url: '/' }] });
  });

  test('has examples of the versions in use', () => {
    const published: string[] = [method.name, estimateMethod, evidenceRules];
    const inUse = [...published, graderVersion, figuresVersion, ...Object.values(recordVersions)];
    const named = JSON.stringify(document).match(/"[a-z]+\/\d+"/g) ?? [];
    expect(named).toContain(`"${figuresVersion}"`);
    expect(named.filter(name => !inUse.includes(JSON.parse(name)))).toEqual([]);
  });

  test('has no dangling references', () => {
    const references = partsWith('$ref').map(([, { $ref }]) => $ref);
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter(reference => at(reference) === undefined)).toEqual([]);
    const links = partsWith('operationId').map(([, { operationId }]) => operationId);
    const ids = Object.keys(table);
    expect(links.filter(id => !ids.includes(id))).toEqual([]);
  });

  test('has no unused components', () => {
    const references = new Set(partsWith('$ref').map(([, { $ref }]) => $ref));
    const { securitySchemes, ...components } = document.components;
    const unused = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts as object)
        .map(name => `#/components/${kind}/${name}`)
        .filter(reference => !references.has(reference)),
    );
    expect(unused).toEqual([]);
    const required = new Set(
      partsWith('security').flatMap(([, { security }]) => security.flatMap(Object.keys)),
    );
    expect(required).toEqual(new Set(Object.keys(securitySchemes)));
  });

  test('has schemas that pass strict JSON Schema validation', () => {
    const places = [
      ...Object.keys(document.components.schemas).map(name => ['components', 'schemas', name]),
      ...partsWith('schema').map(([place]) => [...place, 'schema']),
    ];
    expect(places.length).toBeGreaterThan(200);
    for (const place of places) expect(Array.isArray(schemas.faultsOf(place, 0))).toBe(true);
  });

  test('allows additional fields in responses and refuses them in requests', () => {
    const ofKeys = ['NewApiKey', 'NewProviderKey', 'NewWebhook', 'WebhookChanges'];
    const ofBatches = ['NewBatch', 'BatchChanges'];
    const requests = ['Purchase', ...ofBatches, ...ofKeys, 'Checkout', 'Subscription', 'PortalRequest'];
    const closed = Object.keys(document.components.schemas).filter(name =>
      JSON.stringify(document.components.schemas[name]).includes('"additionalProperties":false'),
    );
    expect(closed.sort()).toEqual(requests.sort());
  });

  test('contains no zod internals', () => {
    for (const key of ['$schema', '$id', '$defs', 'readOnly', '~standard'])
      expect(partsWith(key)).toEqual([]);
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test('has one schema for every problem, so that generated clients have one type', () => {
    const schemasOf = partsWith('application/problem+json').map(
      ([, content]) => content['application/problem+json'].schema,
    );
    expect(schemasOf.length).toBeGreaterThan(100);
    expect(new Set(schemasOf.map(schema => JSON.stringify(schema)))).toEqual(
      new Set(['{"$ref":"#/components/schemas/Problem"}']),
    );
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(problems));
  });

  test('describes tuples and closed lists in the form that generators read', () => {
    expect(partsWith('prefixItems')).toEqual([]);
    const schemas = partsWith('items').filter(([path]) => !path.includes('examples'));
    expect(schemas.filter(([, { items }]) => typeof items !== 'object')).toEqual([]);
    const lists = partsWith('enum').map(([, schema]) => JSON.stringify(schema.enum));
    expect(lists.filter((list, index) => lists.indexOf(list) !== index)).toEqual([]);
  });

  test('describes every problem code', () => {
    const told = new Set(operations.flatMap(operation => problemCodesOf(operation)));
    const codes = Object.keys(problems).filter(code => code !== 'method_not_allowed');
    expect([...told].sort()).toEqual(codes.sort());
  });
});

describe.each(named)('%s', (operationId, operation) => {
  test('has a summary and a description with costs and needs', () => {
    const { summary, description, tags: chapters, security } = described(operation);
    expect(described(operation).operationId).toBe(operationId);
    expect(summary).toMatch(/^[A-Z].{5,60}[^.]$/);
    expect(description).toMatch(/^[A-Z][\s\S]{30,}\*\*Costs:\*\* \S[\s\S]*\*\*Needs:\*\* \S/);
    expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining(chapters));
    expect(Array.isArray(security)).toBe(true);
  });

  test('declares its path parameters and has an example of every parameter', () => {
    const parameters: any[] = described(operation).parameters ?? [];
    const inPath = parameters.filter(parameter => parameter.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(operation.path.match(/\{\w+\}/g) ?? []);
    for (const [index, { name, description, example, required }] of parameters.entries()) {
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\S/) });
      const place = ['paths', operation.path, operation.method, 'parameters', String(index), 'schema'];
      expect({ name, faults: schemas.faultsOf(place, example) }).toEqual({ name, faults: [] });
      if (inPath.some(each => each.name === name)) expect(required).toBe(true);
    }
  });

  test('has valid request examples', () => {
    const { body } = operation;
    if (body === undefined) return;
    const examples = Object.values(body.examples);
    expect(examples.length).toBeGreaterThan(0);
    const place = ['paths', operation.path, operation.method, 'requestBody', 'content'];
    for (const { value } of examples) {
      expect(schemas.faultsOf([...place, 'application/json', 'schema'], value)).toEqual([]);
      expect(body.schema.safeParse(value).error?.issues).toBeUndefined();
    }
  });

  test('has valid examples of every success response', () => {
    for (const [status, { schema, description }] of Object.entries(operation.answers)) {
      expect(description).toMatch(/\S/);
      if (schema === undefined) continue;
      const { examples } = described(operation).responses[status].content['application/json'];
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      const place = ['paths', operation.path, operation.method, 'responses', status, 'content'];
      for (const { summary, value } of Object.values<any>(examples)) {
        expect(summary).toMatch(/\S/);
        expect(schemas.faultsOf([...place, 'application/json', 'schema'], value)).toEqual([]);
      }
    }
  });

  test('lists its problems by status, each with an example', () => {
    const { responses } = described(operation);
    const codes = Object.values<any>(responses).flatMap(({ content }) =>
      Object.keys(content?.['application/problem+json']?.examples ?? {}),
    );
    expect(codes).toEqual(problemCodesOf(operation));
    expect(codes).toContain('internal');
    for (const code of codes as ProblemCode[]) {
      const status = String(problems[code].status);
      const { value } = document.components.examples[code];
      expect(value).toMatchObject({ code, status: problems[code].status });
      const place = ['paths', operation.path, operation.method, 'responses', status, 'content'];
      expect(schemas.faultsOf([...place, 'application/problem+json', 'schema'], value)).toEqual([]);
      const other = { ...value, code: 'something_else' };
      expect(schemas.faultsOf([...place, 'application/problem+json', 'schema'], other)).not.toEqual([]);
    }
  });
});

/** Where a published schema and the parser behind it could part: what one lets in, the other must, and no more. */
describe('a request is published as it is parsed', () => {
  const bodies = { NewApiKey: table.mintKey, Purchase: table.createReport, Checkout: table.buyCredits };
  const dice = '🎲';

  test.each<[what: string, name: keyof typeof bodies, body: Record<string, string>, wrong?: string]>([
    ['a hundred characters, each of two halves', 'NewApiKey', { name: dice.repeat(100) }],
    ['blanks about a name', 'NewApiKey', { name: '  a  ' }],
    ['one letter', 'NewApiKey', { name: 'a' }],
    ['a hundred and one characters', 'NewApiKey', { name: dice.repeat(101) }, 'name'],
    ['a name that is too long but for its blanks', 'NewApiKey', { name: `a${' '.repeat(100)}` }, 'name'],
    ['blanks alone', 'NewApiKey', { name: ' \u00a0 ' }, 'name'],
    ['a name that ends with a line', 'NewApiKey', { name: 'a\n' }, 'name'],
    ['a control character of the second kind', 'NewApiKey', { name: 'a\u0085b' }, 'name'],
    ['an event of two hundred characters', 'Purchase', { event_id: dice.repeat(200) }],
    ['an event of two hundred and one', 'Purchase', { event_id: dice.repeat(201) }, 'event_id'],
  ])('%s', expectAgreement);

  test.each([
    ['https://shop.test/paid?order=1#end', true],
    ['http://127.0.0.1:3000/', true],
    ['http://localhost', true],
    ['https://shop.test/paid?session={CHECKOUT_SESSION_ID}', true],
    ['https://xn--bcher-kva.test/%C3%BC', true],
    ['https://bücher.test/', false],
    ['https://', false],
    ['https://a b.test/', false],
    ['http://999.0.0.1/', false],
    ['http://a.test:99999/', false],
    ['ftp://a.test/', false],
    [' https://a.test/', false],
    ['javascript:alert(1)', false],
  ])('the return URL %s: %p', (success_url, isTaken) => {
    const body = { pack_id: 'starter', success_url };
    expectAgreement('', 'Checkout', body, isTaken ? undefined : 'success_url');
  });

  function expectAgreement(_what: string, name: keyof typeof bodies, body: object, wrong?: string) {
    const issues = bodies[name].body.schema.safeParse(body).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.'))).toEqual(wrong === undefined ? [] : [wrong]);
    expect(schemas.faultsOf(['components', 'schemas', name], body).length > 0).toBe(wrong !== undefined);
  }

  test.each([
    ['page of events', table.searchEvents.query, { page: '50' }, { page: '51' }],
    ['depth', table.searchEvents.query, { page: '10', per_page: '100' }, { page: '11', per_page: '100' }],
    ['page of entries', table.listLedger.query, { page: '10000' }, { page: '10001' }],
    ['size of a page', table.listLedger.query, { per_page: '100' }, { per_page: '101' }],
    ['row', table.exportTrackRecord.query, { after: '9'.repeat(15) }, { after: `1${'0'.repeat(15)}` }],
    ['report', table.getReport.parameters, { id: '9'.repeat(15) }, { id: `1${'0'.repeat(15)}` }],
  ])('the last %s is taken, and no further one', (_what, schema, last, beyond) => {
    expect(schema.safeParse(last).success).toBe(true);
    expect(schema.safeParse(beyond).success).toBe(false);
  });
});
