import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { projectFiles } from '../../config/project-files.js';

/** Renders the web page on the server, so that it can be read before or without JavaScript. */
export interface PageRenderer {
  /** Folder of the files that the page loads. Each file name contains a hash of its content. */
  readonly assets: string;
  /** @param apiUrl base URL of the public API that the page reads; `headers` are sent with each of its requests */
  render(
    url: string,
    apiUrl: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly html: string }>;
}

const renderedShape = z.object({ status: z.int(), html: z.string() });
const moduleShape = z.object({
  renderPage: z.custom<(request: unknown) => Promise<unknown>>(value => typeof value === 'function'),
});

/**
 * Loads the page from `dist`. A dynamic import, because the page is compiled with the TypeScript settings for browsers.
 * @throws if the page has not been built
 */
export async function loadPageRenderer(): Promise<PageRenderer> {
  const { renderPage } = moduleShape.parse(await import(pathToFileURL(projectFiles.pageRenderer).href));
  const template = await readFile(join(projectFiles.pageFiles, 'index.html'), 'utf8');
  return {
    assets: join(projectFiles.pageFiles, 'assets'),
    render: async (url, apiUrl, apiHeaders) =>
      renderedShape.parse(await renderPage({ url, template, apiUrl, apiHeaders })),
  };
}
