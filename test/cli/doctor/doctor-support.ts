import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { diagnose } from '../../../cli/commands/diagnose.js';
import type { ModelFinding } from '../../../cli/doctor/check-models.js';
import type { CheckName, Finding } from '../../../cli/doctor/finding.js';
import type { RoleState } from '../../../db/service-role.js';

export interface Diagnosis {
  /** Whether there is no problem. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly quorum: boolean;
  readonly models: readonly ModelFinding[];
  /** What people see. */
  readonly text: string;
  /** The first finding of a check. */
  readonly finding: (check: CheckName) => Finding | undefined;
}

/** Isolates the doctor from the machine: any free port, no venue, and a home that does not exist unless given. */
export const isolated = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  COUNCIL_HOME: join(tmpdir(), 'council-doctor-no-home'),
  PORT: '0',
  TEMPORAL_UI_PORT: '0',
  MARKETS: 'sample',
};

/** `council doctor` in this process, with nothing in its environment but what is given. */
export async function runDoctor(env: Record<string, string>, now = Date.now): Promise<Diagnosis> {
  let document: any;
  let text = '';
  const plain = (line: string) => line;
  const ignore = () => undefined;
  const ok = await diagnose(
    { ...isolated, ...env },
    {
      paint: { good: plain, warning: plain, bad: plain, strong: plain, faint: plain },
      result: (asDocument, asText) => {
        document = structuredClone(asDocument);
        text = asText;
      },
      file: ignore,
      progress: ignore,
      status: ignore,
      flicker: ignore,
      next: ignore,
      close: ignore,
    },
    { now },
  );
  const finding = (check: CheckName) => document.findings.find((found: Finding) => found.check === check);
  return { ...document, ok, text, finding };
}

/** An empty COUNCIL_HOME for each test of a file. */
export function useOwnHome(): { readonly path: string } {
  const home = { path: '' };
  beforeEach(async () => {
    home.path = await mkdtemp(join(tmpdir(), 'council-home-'));
  });
  afterEach(() => rm(home.path, { recursive: true, force: true }));
  return home;
}

/** An HTTP server that keeps no process alive, nor a connection open. @returns its port */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    response.shouldKeepAlive = false;
    listener(request, response);
  }).unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A program that answers HTTP and is not this service. @returns its port */
export function otherProgram(clockOffsetMs = 0): Promise<number> {
  return serve((_request, response) => {
    response.setHeader('date', new Date(Date.now() + clockOffsetMs).toUTCString());
    response.end('hello');
  });
}

/** A role that can do its work, and nothing else. */
export const boundRole: RoleState = {
  name: 'app',
  superuser: false,
  ownsTables: false,
  createsObjects: false,
  unreadable: [],
};
