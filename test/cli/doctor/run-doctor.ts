import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allChecks } from '../../../cli/doctor/all-checks.js';
import { createDoctorWorld } from '../../../cli/doctor/doctor-world.js';
import type { Finding } from '../../../cli/doctor/finding.js';
import { runChecks } from '../../../cli/doctor/run-checks.js';

export interface Doctored {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Nothing of whoever runs the tests: no service, no home, no port that may be taken. */
const nothing = { COUNCIL_HOME: join(tmpdir(), 'council-doctor-no-home'), PORT: '0', TEMPORAL_UI_PORT: '0' };

/** `council doctor` as it is shipped, in an environment that holds nothing but what is given. */
export function runDoctor(env: Record<string, string>, ...args: string[]): Promise<Doctored> {
  const child = spawn('node', ['dist/cli/council.js', 'doctor', ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...nothing, ...env },
  });
  const ran = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (ran.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ran.err += chunk.toString()));
  return new Promise(resolve => child.once('close', code => resolve({ code, ...ran })));
}

export interface Findings {
  readonly all: readonly Finding[];
  readonly by: (check: Finding['check']) => Finding | undefined;
  /** How the command ends: 1 where there is a problem. */
  readonly code: number | null;
}

/** What the command as it is shipped prints for programs. */
export async function toldFindings(env: Record<string, string>): Promise<Findings> {
  const { code, out } = await runDoctor(env, '--json');
  const { findings }: { findings: Finding[] } = JSON.parse(out);
  return summed(findings, code);
}

/** The same checks without a process of their own, and without the models. */
export async function findingsOf(env: Record<string, string>): Promise<Findings> {
  const path = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const world = await createDoctorWorld({ ...path, ...nothing, ...env }, Date.now);
  const findings = await runChecks(allChecks(world));
  return summed(findings, findings.some(({ state }) => state === 'problem') ? 1 : 0);
}

function summed(all: readonly Finding[], code: number | null): Findings {
  return { all, code, by: check => all.find(finding => finding.check === check) };
}
