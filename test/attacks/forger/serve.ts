import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeServer, listen } from '../../support/listen.js';
import type { Published } from './publish.js';

/** What a stranger runs the program with. */
export interface Stranger {
  /** Certificates of the authority, PEM; null without `--ca`. */
  readonly ca: string | null;
  /** Reports that a buyer has saved. */
  readonly saved?: readonly object[];
  /** The head that an earlier run has kept. */
  readonly kept?: { readonly entries: number; readonly head: string };
  /** Whether outcomes and prices are read from the venue. */
  readonly asksVenue?: boolean;
  /** Without OpenSSL on the machine. */
  readonly hasNoOpenssl?: boolean;
}

export interface Verdict {
  readonly code: number;
  readonly text: string;
}

/** A server that answers whatever it is given, and a venue that tells the truth, for a stranger who verifies it. */
export async function startLyingServer() {
  const folder = mkdtempSync(join(tmpdir(), 'council-forger-'));
  // By its path, because a shim of that name looks for the interpreter among the programs.
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).trim();
  let answers: Published | null = null;
  let runs = 0;
  const server = createServer(({ url = '' }, response) => {
    const answer = answers === null ? undefined : answerOf(answers, new URL(url, 'http://forger'));
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    verify: async (published: Published, stranger: Stranger): Promise<Verdict> => {
      answers = published;
      runs += 1;
      const file = (name: string, content: string) => {
        const path = join(folder, `${runs}-${name}`);
        writeFileSync(path, content);
        return path;
      };
      const { ca, saved = [], kept, asksVenue, hasNoOpenssl } = stranger;
      const head = join(folder, `${runs}-head.json`);
      if (kept !== undefined) file('head.json', JSON.stringify({ base_url: url, at: '2031-03-05', ...kept }));
      const words = [
        'examples/verify-record.py',
        url,
        ...(ca === null ? [] : ['--ca', file('ca.pem', ca)]),
        ...(asksVenue ? ['--gamma', '--gamma-url', url, '--clob-url', url] : []),
        '--head',
        head,
        ...saved.map((report, index) => file(`report-${index}.json`, JSON.stringify(report))),
      ];
      // The folder has no programs.
      const env = hasNoOpenssl ? { ...process.env, PATH: folder } : process.env;
      return new Promise(resolve => {
        execFile(python, words, { env }, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr });
        });
      });
    },
    close: async () => {
      await closeServer(server);
      rmSync(folder, { recursive: true });
    },
  };
}

export type LyingServer = Awaited<ReturnType<typeof startLyingServer>>;

const record = '/api/stats/track-record';

function answerOf({ record: figures, chain, timestamps, rows, venue }: Published, asked: URL): unknown {
  const after = Number(asked.searchParams.get('after') ?? 0);
  const limit = Number(asked.searchParams.get('limit') ?? 0);
  const page = (items: readonly any[], position: string) =>
    items.filter(item => item[position] > after).slice(0, limit);
  switch (asked.pathname) {
    case record:
      return figures;
    case `${record}/chain`:
      return { entries: page(chain, 'number') };
    case `${record}/timestamps`:
      return { timestamps: page(timestamps, 'id') };
    case `${record}/reports`:
      return { reports: page(rows, 'report_id') };
    case '/prices-history':
      return venue[`/prices-history?market=${asked.searchParams.get('market')}`];
    default:
      return venue[asked.pathname];
  }
}
