import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { projectFiles } from '../../config/project-files.js';

/** The web page, rendered for whoever has no script, or has none yet. */
export interface PageRenderer {
  /** Folder of the files that the page loads; their names hold a hash of what is in them. */
  readonly assets: string;
  /** @param apiUrl where the public API is asked, with these headers, for what the page shows */
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
 * The page as it was built into `dist`. Loaded and not imported, because it is compiled for browsers, by settings of its own.
 * @throws when it was not built
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

/** By functions, because a `$` in what is put in would mean something to `replace`. */
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

/** No text of an event or a model can end the script element that it is handed over in. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
