import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { projectFiles } from '../../config/project-files.js';

/** Renders the web page on the server, for browsers without scripts and for the first view. */
export interface PageRenderer {
  /** Folder of the files that the page loads. Their names contain a hash of their content. */
  readonly assets: string;
  /**
   * @param apiUrl address of the public API, which is called with these headers for the content of the page
   */
  render(
    url: string,
    apiUrl: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly html: string }>;
}

const renderedShape = z.object({ status: z.int(), title: z.string(), body: z.string(), data: z.string() });
const moduleShape = z.object({
  renderPage: z.custom<
    (url: string, apiUrl: string, headers: Readonly<Record<string, string>>) => Promise<unknown>
  >(value => typeof value === 'function'),
});

/**
 * Loads the page from `dist`. A dynamic import, because the page is compiled with settings of its own.
 * @throws Error if the page was not built
 */
export async function loadPageRenderer(): Promise<PageRenderer> {
  const { renderPage } = moduleShape.parse(await import(pathToFileURL(projectFiles.pageRenderer).href));
  const template = await readFile(join(projectFiles.pageFiles, 'index.html'), 'utf8');
  return {
    assets: join(projectFiles.pageFiles, 'assets'),
    render: async (url, apiUrl, headers) => {
      const { status, title, body, data } = renderedShape.parse(await renderPage(url, apiUrl, headers));
      return { status, html: fill(template, { title, body, data }) };
    },
  };
}

/** Uses functions, because `replace` interprets a `$` in a string. */
function fill(
  template: string,
  { title, body, data }: { title: string; body: string; data: string },
): string {
  return template
    .replace('<!--page-title-->', () => escapeText(title))
    .replace('<!--page-body-->', () => body)
    .replace('"the data of the page"', () => escapeScript(data));
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** No text of an event or a model can close the script element that contains the data. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
