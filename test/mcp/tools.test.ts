import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverIdentity } from '../../mcp/server/create-mcp-server.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { ToolUser } from './support/clients.js';

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

let service: TestService;
let user: ToolUser;
let tools: any[];

beforeAll(async () => {
  service = await startTestService({ worker: false });
  user = await ToolUser.overHttp(service.url);
  tools = (await user.client.listTools()).tools;
});
afterAll(async () => {
  await service.stop();
  await user.close();
});

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

  test.each(names)('%s has annotations that match its effects', name => {
    const spends = spending.includes(name);
    const { annotations, title } = named(name);
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

  test.each(names)(
    '%s says when to use it and when not, what it costs, and what credential it needs',
    name => {
      const { description } = named(name);
      expect(description).toMatch(/\bUse it\b/);
      expect(description).toMatch(/(Do not use it|Before buying use check_report instead)/);
      expect(description).toMatch(/API key/);
      if (spending.includes(name)) expect(description).toMatch(/THE ONLY TOOL THAT SPENDS/);
      else expect(description).toMatch(/\nFree/);
      expect(description.length).toBeLessThan(900);
    },
  );

  test.each(names)('%s describes every argument and refuses others', name => {
    const { inputSchema } = named(name);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    for (const [argument, schema] of Object.entries<any>(inputSchema.properties)) {
      expect({ argument, description: schema.description }).toEqual({
        argument,
        description: expect.stringMatching(/\S.{10}/),
      });
    }
  });

  test.each(names)('%s has a self-contained output schema that includes its errors', name => {
    const { outputSchema } = named(name);
    expect(outputSchema.type).toBe('object');
    expect(outputSchema.anyOf).toHaveLength(2);
    for (const branch of outputSchema.anyOf) expect(branch.additionalProperties).toBe(false);
    expect(outputSchema.anyOf[1].required).toEqual(['code', 'detail', 'next_step']);
    expect(JSON.stringify(outputSchema)).not.toContain('$ref');
  });

  test('the server has an identity and instructions', () => {
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

function named(name: string): any {
  return tools.find(tool => tool.name === name);
}
