import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { unnamed } from '../../contract/parts.js';
import { tools } from '../../mcp/tools/index.js';
import { toolProblemCodes } from '../../mcp/tools/tool-problem.js';
import { ToolUser } from '../mcp/support/clients.js';
import { until } from '../support/until.js';
import { useTestService } from '../support/use-service.js';

const execute = promisify(execFile);
const service = await useTestService();
const caller = await service.newCaller(1_000);
const user = await ToolUser.overHttp(service.url, { 'x-api-key': caller.key });

/** The skill as an assistant reads it. */
const folder = 'skill/council-report';
const skillText = readFileSync(`${folder}/SKILL.md`, 'utf8');
const references: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(`${folder}/references`).map(name => [
    name,
    readFileSync(`${folder}/references/${name}`, 'utf8'),
  ]),
);
const [, frontText = '', skillBody = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skillText) ?? [];
const frontMatter: any = parse(frontText);

const toolNames = tools.map(({ name }) => name);
const free = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);

describe('the skill', () => {
  test('has valid front matter', () => {
    expect(frontMatter.name).toBe('council-report');
    expect(frontMatter.name).toMatch(/^[a-z][a-z-]{0,63}$/);
    expect(frontMatter.description.length).toBeLessThanOrEqual(1_024);
    expect(frontMatter.description).toMatch(/Use it when.*forecast.*odds.*Not for/s);
    expect(frontMatter.compatibility.length).toBeLessThanOrEqual(500);
    expect(frontMatter.license).toMatch(/\S/);
    for (const value of Object.values(frontMatter.metadata)) expect(typeof value).toBe('string');
    // What an assistant reads at once stays small; the rest is read when it is needed.
    expect(skillBody.split('\n').length).toBeLessThan(150);
  });

  test('allows every tool without confirmation except the one that spends', () => {
    const allowed = frontMatter['allowed-tools'].split(/\s+/);
    expect(allowed).toEqual(free.map(name => `mcp__${frontMatter.metadata['mcp-server']}__${name}`));
    expect(free).toHaveLength(toolNames.length - 1);
  });

  test('calls every tool and no other', () => {
    expect([...new Set(callsIn(skillBody).map(({ tool }) => tool))].sort()).toEqual([...toolNames].sort());
  });

  test('asks between check and run, says that it is no advice, and forbids re-runs', () => {
    const places = ['`check_report {', 'SAY THE PRICE AND ASK', '`run_report {'].map(text =>
      skillBody.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(skillBody).toContain('not financial advice');
    expect(skillBody).toContain('Never re-run to fish for another answer');
  });

  test('names every error code that an assistant can meet and no other', () => {
    const named = namesInTables(references['errors.md'] ?? '');
    const elsewhere = [
      // Of routes that no tool asks.
      'session_required',
      'key_limit_reached',
      'method_not_allowed',
      // Of requests that these clients do not send.
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_mismatch',
    ];
    expect([...named, ...elsewhere].sort()).toEqual([...toolProblemCodes].sort());
  });
});

describe('the fields that the skill names', () => {
  const parts: [file: string, tool: string][] = [
    ['reading-a-report.md', 'get_report'],
    ['track-record.md', 'get_track_record'],
  ];

  test.each(parts)('in %s are fields of the result of %s', (file, tool) => {
    const named = namesInTables(references[file] ?? '');
    const known = fieldsOf(tool);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter(name => !known.has(name))).toEqual([]);
  });

  test('in the text are fields, arguments, values or codes of the tools', () => {
    const words = new Set([
      ...tools.flatMap(({ name }) =>
        [...fieldsOf(name)].flatMap(path => [path, path.split('.').at(-1) ?? '']),
      ),
      ...tools.flatMap(({ input }) => Object.keys(input.shape)),
      ...tools.flatMap(({ input, output }) => valuesIn([schemaOf(input), schemaOf(output)])),
      ...toolNames,
      ...toolProblemCodes,
      'code',
      'detail',
      'next_step',
      'errors',
      'request_id',
      'missing',
      'retry_after_seconds',
      'COUNCIL_BASE_URL',
      'COUNCIL_API_KEY',
      'EVENT_ID',
      'REPORT_ID',
      'COST_CREDITS',
      'USD_CENTS',
      'LANE',
      'POST',
      'quoted_credits',
      'quoted_usd_cents',
      'council_config.runtime',
      'deliberation',
      'deliberation.positions',
      'deliberation.evidence.status',
      'deliberation.evidence.items',
    ]);
    const texts = [skillBody, ...Object.values(references)].join('\n').replaceAll(/```[\s\S]*?```/g, '');
    const named = [...texts.matchAll(/`([A-Za-z_][\w.]*)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(80);
    expect([...new Set(named)].filter(name => !words.has(name) && name !== 'Retry-After')).toEqual([]);
  });

  test('are detected if they do not exist', () => {
    expect(fieldsOf('get_report').has('runtime.most_likely_outcome')).toBe(true);
    expect(fieldsOf('get_report').has('runtime.most_likely')).toBe(false);
  });
});

describe('its flow', () => {
  test('runs call by call as written and ends with one paid report', async () => {
    const values: Record<string, string | number> = {};
    const walked: string[] = [];
    for (const { tool, args } of callsIn(skillBody)) {
      const { isError, data, text } = await user.call(tool, JSON.parse(fillIn(args, values)));
      expect({ tool, isError, text }).toEqual({ tool, isError: false, text });
      values['event_id'] ??= data.events?.[0].event_id;
      values['cost_credits'] ??= data.cost_credits;
      values['lane'] ??= data.lane;
      values['report_id'] ??= data.report_id;
      walked.push(tool);
      if (tool === 'get_report') await untilEnded(data.report_id);
    }
    expect(walked.slice(0, 5)).toEqual([
      'search_events',
      'get_event',
      'check_report',
      'run_report',
      'get_report',
    ]);
    const report = (
      await user.call('get_report', { report_id: values['report_id'], sections: ['synthesis'] })
    ).data;
    expect(report).toMatchObject({ status: 'completed', simulated: true, synthesis: expect.any(Object) });
    expect((await caller.ledger()).filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  });

  test('uses only arguments that the tools know', () => {
    for (const { tool, args } of callsIn(skillText)) {
      const given = Object.keys(
        JSON.parse(fillIn(args, { event_id: 'x', cost_credits: 1, lane: 'credits', report_id: 1 })),
      );
      const known = Object.keys(tools.find(({ name }) => name === tool)?.input.shape ?? {});
      expect({ tool, unknown: given.filter(name => !known.includes(name)) }).toEqual({ tool, unknown: [] });
    }
  });
});

describe('its HTTP fallback', () => {
  test('works line by line as written', async () => {
    const buyer = await service.newCaller(1_000);
    const env: Record<string, string> = {
      PATH: process.env['PATH'] ?? '',
      COUNCIL_BASE_URL: service.url,
      COUNCIL_API_KEY: buyer.key,
    };
    const blocks = [...(references['rest.md'] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)];
    const lines = blocks.flatMap(([, block = '']) => block.match(/^curl .*$/gm) ?? []);
    expect(lines.length).toBeGreaterThan(7);
    for (const line of lines) {
      const { stdout } = await execute('bash', ['-ceu', line], { env });
      const answer = JSON.parse(stdout);
      if (answer.events) env['EVENT_ID'] ??= answer.events[0].event_id;
      if (answer.cost_credits !== undefined) {
        env['COST_CREDITS'] ??= String(answer.cost_credits);
        env['USD_CENTS'] ??= String(answer.price_usd_cents ?? 0);
        env['LANE'] ??= answer.lane;
      }
      if (answer.report_id !== undefined) env['REPORT_ID'] ??= String(answer.report_id);
    }
    const report = await buyer.untilEnded(Number(env['REPORT_ID']));
    expect(report).toMatchObject({ status: 'completed', event_id: env['EVENT_ID'] });
    expect((await buyer.ledger()).filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  });
});

const untilEnded = (id: number) =>
  until(
    'the report has ended',
    () => user.call('get_report', { report_id: id, wait_seconds: 20 }),
    ({ data }) => data.status === 'completed',
  );

const schemaOf = (shape: z.ZodType) => z.toJSONSchema(shape, { metadata: unnamed });

/** Dotted paths of every field in a tool's answers, lists looked through. */
function fieldsOf(tool: string): Set<string> {
  const output = tools.find(({ name }) => name === tool)?.output;
  if (output === undefined) throw new Error(`there is no tool ${tool}`);
  return new Set(pathsIn(schemaOf(output)));
}

function pathsIn(schema: any): string[] {
  const alternatives = [schema, schema.items, ...(schema.anyOf ?? [])].filter(Boolean);
  const properties = alternatives.flatMap(each => Object.entries<any>(each.properties ?? {}));
  const deeper = alternatives.filter(each => each !== schema).flatMap(pathsIn);
  return [
    ...properties.flatMap(([name, inner]) => [name, ...pathsIn(inner).map(path => `${name}.${path}`)]),
    ...deeper,
  ];
}

/** Every value that an enumeration of a schema allows. */
function valuesIn(schema: any): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return [...(Array.isArray(schema.enum) ? schema.enum : []), ...Object.values(schema).flatMap(valuesIn)];
}

/** Every call of a tool that stands in a text, `tool {"argument": …}`, in the order in which it stands there. */
function callsIn(text: string) {
  return [...text.matchAll(/`([a-z_]+) (\{[^`]*\})`/g)].map(([, tool = '', args = '']) => ({ tool, args }));
}

/** @param values what stands for each place. @throws Error for a place that nothing stands for. */
function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/<(\w+)>/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing stands for <${name}>`);
    return String(value);
  });
}

/** What stands in backticks in the first column of the tables of a text, heading left out. */
function namesInTables(text: string): string[] {
  return text
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)])
    .map(([, name = '']) => name);
}
