import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { importGraph, importsOf, reachableFrom } from './import-graph.js';
import { importViolations } from './import-rules.js';
import { type SourceFile, serviceFolders, sourcesIn } from './source-files.js';

const project = sourcesIn(serviceFolders);

/** A violation of each rule. Each must be found, or the rule guards nothing. */
const planted: [what: string, path: string, text: string][] = [
  ['the council on a database', 'council/x.ts', "import { connect } from '../db/database.js';"],
  ['the council on a package', 'council/x.ts', "import OpenAI from 'openai';"],
  ['the council on node', 'council/x.ts', "import { readFileSync } from 'node:fs';"],
  ['a tool on the database', 'mcp/x.ts', "import { connect } from '../db/database.js';"],
  ['a page on the business', 'web/pages/x.tsx', "import { pool } from '../../council/pool.js';"],
  ['a page on a package of the server', 'web/x.ts', "import pg from 'pg';"],
  ['the public JSON on the API', 'contract/x.ts', "import { Problem } from '../api/problem.js';"],
  ['the client on node', 'client/x.ts', "import { readFileSync } from 'node:fs';"],
  ['zod where a workflow would bundle it', 'council/conclusion/consensus.ts', "import { z } from 'zod';"],
  ['a clock in the council', 'council/x.ts', 'export const now = () => Date.now();'],
  ['chance in the council', 'council/x.ts', 'export const luck = () => Math.random();'],
  ['the environment in the council', 'council/x.ts', "export const key = process.env['KEY'];"],
  [
    'an activity run inside a workflow',
    'workflows/x.ts',
    "import { askModel } from '../activities/ask-model.js';",
  ],
  ['a workflow on the database', 'workflows/x.ts', "import type { Db } from '../db/database.js';"],
  ['a workflow on a client', 'workflows/x.ts', "import { Client } from '@temporalio/client';"],
  ['an activity on the API', 'activities/x.ts', "import { Problem } from '../api/problem.js';"],
  ['an activity on a workflow', 'activities/x.ts', "import { Sale } from '../workflows/sale.js';"],
  ['a provider on the database', 'providers/x.ts', "export { connect } from '../db/database.js';"],
  ['a market on a provider', 'markets/x.ts', "import type { Vendor } from '../providers/vendor.js';"],
  ['payments on the API', 'payments/x.ts', "import { Problem } from '../api/http/problem.js';"],
  ['payments on another package', 'payments/x.ts', "import { createHmac } from 'node:crypto';"],
  ['the database on a market', 'db/x.ts', "import type { EventSource } from '../markets/event-source.js';"],
  [
    'the API on an activity',
    'api/x.ts',
    "import type { ModelCall } from '../activities/report-activities.js';",
  ],
  ['the API on a provider', 'api/x.ts', "const x = await import('../providers/vendor.js');"],
  ['the command line on the API', 'cli/x.ts', "import '../api/main.js';"],
  ['the command line on a workflow', 'cli/x.ts', "import { purchase } from '../workflows/messages.js';"],
  [
    'configuration on the database',
    'platform/settings/x.ts',
    "import { connect } from '../../db/database.js';",
  ],
  ['the environment read below a root', 'api/x.ts', 'const port = process.env.PORT;'],
  ['the record on a purchase', 'record/x.ts', "import { quote } from '../purchase/quote.js';"],
  ['a purchase on the record', 'purchase/x.ts', "import { grade } from '../record/grades/grade.js';"],
  ['the council on the record', 'council/x.ts', "import { grade } from '../record/grades/grade.js';"],
  ['a clock in the record', 'record/x.ts', 'export const now = () => new Date();'],
  ['a clock in a purchase', 'purchase/x.ts', 'export const now = () => Date.now();'],
  ['a folder of the platform without a rule', 'platform/attic/x.ts', 'export {};'],
  ['a folder without a rule', 'misc/x.ts', 'export {};'],
];

describe('the house', () => {
  test('arrows point inward only, and only composition roots read the environment', () => {
    expect(project.length).toBeGreaterThan(150);
    expect(importViolations(project)).toEqual([]);
  });

  test.each(planted)('the rule would find %s', (_what, path, text) => {
    expect(importViolations([{ path, text }])).toHaveLength(1);
  });

  test('the types of activities are all a workflow may know of them', () => {
    const text = "import type { ReportActivities } from '../activities/report-activities.js';";
    expect(importViolations([{ path: 'workflows/x.ts', text }])).toEqual([]);
  });

  test('browsers load no schema library', () => {
    expect(schemasInBrowsers(project)).toEqual([]);
    const planted = project.map(file =>
      file.path === 'web/api/private-queries.ts'
        ? { ...file, text: file.text.replace(/import type (.*contract\/purchase)/, 'import $1') }
        : file,
    );
    expect(schemasInBrowsers(planted)).toContain('contract/purchase.ts');
  });

  test('all Temporal packages have one exact version', () => {
    const lock: { packages: Record<string, { version: string }> } = JSON.parse(
      readFileSync('package-lock.json', 'utf8'),
    );
    const versions = Object.entries(lock.packages)
      .filter(([name]) => /node_modules\/@temporalio\/[\w-]+$/.test(name))
      .map(([, { version }]) => version);
    expect(versions.length).toBeGreaterThan(5);
    expect(new Set(versions).size).toBe(1);
  });
});

/** The files that import zod's code, of those that are part of the script for browsers. */
function schemasInBrowsers(files: readonly SourceFile[]): string[] {
  const loaded = reachableFrom(importGraph(files, { types: false }), 'web/browser.tsx');
  expect(loaded.size).toBeGreaterThan(50);
  return files
    .filter(file => loaded.has(file.path))
    .filter(file => importsOf(file).some(({ from, typeOnly }) => from === 'zod' && !typeOnly))
    .map(({ path }) => path);
}
