import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { serverIdentity } from '../../mcp/server/create-mcp-server.js';
import { footprint } from '../support/machine/footprint.js';
import { useTestService } from '../support/use-service.js';
import { ToolUser } from './support/clients.js';
import { startProxy } from './support/proxy.js';

const names = [
  'search_events',
  'get_event',
  'get_pricing',
  'check_report',
  'run_report',
  'get_report',
  'get_track_record',
];
const spending = ['run_report'];
const outside = ['search_events', 'get_event', 'run_report'];

const service = await useTestService({ worker: false });
const proxy = await startProxy(service.url);
afterAll(() => proxy.close());
const user = await ToolUser.overHttp(service.url);
const tools: any[] = (await user.client.listTools()).tools;

describe('the tools', () => {
  test('are seven, in the order of their use', () => {
    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  test('are the same over both transports', async () => {
    const other = await ToolUser.overStdio({ COUNCIL_BASE_URL: service.url });
    expect((await other.client.listTools()).tools).toEqual(tools);
    expect(other.client.getInstructions()).toEqual(user.client.getInstructions());
    await other.close();
  });

  test('come from a server with an identity and instructions', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(user.client.getServerVersion()).toEqual({ ...serverIdentity, version });
    const instructions = user.client.getInstructions() ?? '';
    const order = [
      'search_events',
      'get_event',
      'check_report',
      'Tell the user the price and ask',
      'run_report',
      'get_report',
    ];
    const places = order.map(step => instructions.indexOf(step));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(instructions).toMatch(/not[\w ]* financial advice|None of this is financial advice/);
    expect(instructions.length).toBeLessThan(2_000);
  });
});

describe.each(names)('the tool %s', name => {
  const spends = spending.includes(name);
  const { annotations, title, description, inputSchema, outputSchema } = tools.find(
    tool => tool.name === name,
  );

  test('has annotations that match its effects', () => {
    expect(annotations).toEqual({
      title,
      readOnlyHint: !spends,
      destructiveHint: spends,
      // Tomorrow the same call buys tomorrow's report.
      idempotentHint: !spends,
      openWorldHint: outside.includes(name),
    });
    expect(title).toMatch(/^[A-Z]/);
  });

  test('says when to use it and when not, what it costs, and what credential it needs', () => {
    expect(description).toMatch(/\bUse it\b/);
    expect(description).toMatch(/(Do not use it|Before buying use check_report instead)/);
    expect(description).toMatch(/API key/);
    expect(description).toMatch(spends ? /THE ONLY TOOL THAT SPENDS/ : /\nFree/);
    expect(description.length).toBeLessThan(900);
  });

  test('describes every argument, refuses others, and has an output schema of its own, errors included', () => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    for (const [argument, schema] of Object.entries<any>(inputSchema.properties))
      expect([argument, schema.description]).toEqual([argument, expect.stringMatching(/\S.{10}/)]);
    expect(outputSchema.type).toBe('object');
    expect(outputSchema.anyOf).toHaveLength(2);
    for (const branch of outputSchema.anyOf) expect(branch.additionalProperties).toBe(false);
    expect(outputSchema.anyOf[1].required).toEqual(['code', 'detail', 'next_step']);
    expect(JSON.stringify(outputSchema)).not.toContain('$ref');
  });
});

describe('the free tools', () => {
  const event_id = 'sample-fed-cut-2031';
  const recordSections = ['calibration', 'by_model', 'by_action', 'by_flag', 'by_evidence'];
  const calls = [
    ['search_events', {}],
    ['search_events', { search: 'fed', status: 'all', page: 2, per_page: 100 }],
    ['search_events', { search: 'x'.repeat(201) }],
    ['get_event', { event_id }],
    ['get_event', { event_id: '../reports' }],
    ['get_event', { event_id: '' }],
    ['get_pricing', {}],
    ['get_pricing', { max_credits: 1_000 }],
    ['check_report', { event_id }],
    ['check_report', { event_id, lane: 'byok' }],
    ['check_report', { event_id, lane: 'gift' }],
    ['check_report', { event_id: 'sample-bridge-opening-2025' }],
    ['check_report', { event_id, max_credits: 1_000, quoted_credits: 1_000 }],
    ['check_report', { event_id: '?x=/../../reports' }],
    ['get_report', { report_id: 1 }],
    ['get_report', { report_id: 1, wait_seconds: 1, sections: ['opinions'] }],
    ['get_report', { report_id: -1 }],
    ['get_report', { report_id: '1; buy' }],
    ['get_report', { report_id: 9_007_199_254_740_991 }],
    ['get_track_record', {}],
    ['get_track_record', { sections: [...recordSections, 'first_report_per_event'] }],
    ['get_track_record', { sections: ['everything'] }],
  ] as const;

  test('never spend: balance, ledger and database are unchanged', async () => {
    const caller = await service.newCaller(1_000, { weeklyGrant: true });
    const byKey = await ToolUser.overHttp(service.url, { 'x-api-key': caller.key });
    const bySession = await ToolUser.overHttp(service.url, { authorization: `Bearer ${caller.session}` });
    const holdings = async () => [
      (await caller.get('/api/credits/balance')).body,
      await caller.ledger(),
      await footprint(service),
    ];
    const before = await holdings();
    const counts = { answered: 0, refused: 0 };
    for (const [name, args] of calls)
      for (const each of [byKey, bySession])
        counts[(await each.call(name, args)).isError ? 'refused' : 'answered'] += 1;
    expect(await holdings()).toEqual(before);
    // Guards against a loop that tries nothing.
    expect(counts.answered).toBeGreaterThan(12);
    expect(counts.refused).toBeGreaterThan(12);
  });

  test('only ever send GET', async () => {
    const caller = await service.newCaller(1_000);
    const proxied = await ToolUser.inProcess(proxy.url, { 'x-api-key': caller.key });
    for (const [name, args] of calls) await proxied.call(name, args);
    expect(proxy.requests.length).toBeGreaterThan(10);
    expect(proxy.requests.filter(({ what }) => !what.startsWith('GET '))).toEqual([]);
  });
});
