import type { TestCaller } from '../../../support/service/test-caller.js';

export interface Download {
  readonly format?: string;
  readonly of?: { readonly url: string };
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** The results of a batch, as their bytes are. */
export async function downloadResults(
  { key }: TestCaller,
  id: string,
  { format, of, method = 'GET', headers = {} }: Download & { readonly of: { readonly url: string } },
) {
  const query = format === undefined ? '' : `?format=${format}`;
  const response = await fetch(`${of.url}/api/batches/${id}/results${query}`, {
    method,
    headers: { 'x-api-key': key, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
}

/** The objects of NDJSON. */
export function linesOf(text: string): any[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
}

/** The cells of CSV by RFC 4180. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
