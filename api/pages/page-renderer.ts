import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { RecordEntryView } from '../../contract/record-chain.js';
import { projectFiles } from '../../platform/settings/project-files.js';

/** Renders the web page on the server, so that it can be read before or without JavaScript. */
export interface PageRenderer {
  /** Folder of the files that the page loads. Each file name contains a hash of its content. */
  readonly assets: string;
  /**
   * @param apiUrl base URL of the public API that the page reads; `headers` are sent with each of its requests
   * @param recordHead the newest entry of the record, for the foot of the page
   */
  render(
    url: string,
    apiUrl: string,
    headers: Readonly<Record<string, string>>,
    recordHead: RecordEntryView | null,
  ): Promise<{ readonly status: number; readonly html: string }>;
  /**
   * The API reference, which is the same for everybody.
   * @param document the OpenAPI document
   * @param baseUrl where the examples call the API
   */
  renderReference(document: object, baseUrl: string): string;
}

/** Source file → what it was built to, and the source files that it imports at once. */
const manifestShape = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
);
type Manifest = z.output<typeof manifestShape>;

const renderedShape = z.object({ status: z.int(), html: z.string() });
const moduleShape = z.object({
  renderPage: z.custom<(request: unknown) => Promise<unknown>>(value => typeof value === 'function'),
  renderReference: z.custom<(request: unknown) => unknown>(value => typeof value === 'function'),
});

/**
 * Loads the page from `dist`. A dynamic import, because the page is compiled with the TypeScript settings for browsers.
 * @throws if the page has not been built
 */
export async function loadPageRenderer(): Promise<PageRenderer> {
  const { renderPage, renderReference } = moduleShape.parse(
    await import(pathToFileURL(projectFiles.pageRenderer).href),
  );
  const built = (name: string) => readFile(join(projectFiles.pageFiles, name), 'utf8');
  const template = await built('index.html');
  const referenceTemplate = await built('reference.html');
  const manifest = await built('manifest.json');
  const scripts = scriptsBySource(manifestShape.parse(JSON.parse(manifest)), template);
  return {
    assets: join(projectFiles.pageFiles, 'assets'),
    render: async (url, apiUrl, apiHeaders, recordHead) =>
      renderedShape.parse(await renderPage({ url, template, scripts, apiUrl, apiHeaders, recordHead })),
    renderReference: (document, baseUrl) =>
      z.string().parse(renderReference({ document, baseUrl, template: referenceTemplate })),
  };
}

/** The paths of the scripts that a source file needs, without those that the template names for every page. */
function scriptsBySource(manifest: Manifest, template: string): Record<string, string[]> {
  return Object.fromEntries(
    Object.keys(manifest).map(source => {
      const paths = [...closure(manifest, source)].map(each => `/${manifest[each]?.file ?? ''}`);
      return [source, paths.filter(path => !template.includes(path))];
    }),
  );
}

/** A source file and all that it imports. */
function closure(manifest: Manifest, source: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(source)) return seen;
  seen.add(source);
  for (const next of manifest[source]?.imports ?? []) closure(manifest, next, seen);
  return seen;
}
