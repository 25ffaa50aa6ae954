import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Stranger {
  /** Certificates of the time-stamp authority, PEM. */
  readonly certificate?: string;
  /** Reports that it has saved. */
  readonly reports?: readonly object[];
}

/** Runs `examples/verify-record.py` against a service, in a folder of its own. */
export async function verifyAsStranger(
  url: string,
  { certificate, reports = [] }: Stranger,
): Promise<{ code: unknown; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'council-verified-'));
  const written = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const words = [
    'examples/verify-record.py',
    url,
    ...(certificate === undefined ? [] : ['--ca', written('ca.pem', certificate)]),
    '--head',
    join(folder, 'head.json'),
    ...reports.map((report, index) => written(`report-${index}.json`, JSON.stringify(report))),
  ];
  return new Promise<{ code: unknown; text: string }>(resolve => {
    execFile('python3', words, (error, out, err) => resolve({ code: error?.code ?? 0, text: out + err }));
  }).finally(() => rmSync(folder, { recursive: true }));
}
