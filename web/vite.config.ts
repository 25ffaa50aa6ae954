import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { defineConfig, type Plugin, type UserConfig, type ViteDevServer } from 'vite';

/**
 * `vite build` bundles what a browser loads; the server renders the same pages as compiled by `tsc`.
 * `vite` serves the page for development, with hot reload, and forwards API requests to `COUNCIL_BASE_URL`.
 */
export default defineConfig(
  async ({ command }): Promise<UserConfig> => ({
    root: import.meta.dirname,
    // Only what the pages import is public.
    publicDir: false,
    build: {
      outDir: '../dist/web-client',
      emptyOutDir: true,
      assetsDir: 'assets',
      // An inlined asset would need `data:` in the Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // Most of it is React, the router and zod, which every page needs, so it is not split.
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        // Libraries mark client code with "use client"; here everything is client code.
        onLog: (level, log, report) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
      },
    },
    logLevel: 'warn',
    ...(command === 'serve' ? await development() : {}),
  }),
);

/** Paths that the API serves, except the modules of `web/api`, whose URLs also begin with `/api`. */
const apiPaths = String.raw`^/(api|mcp|docs|openapi\.json)(?![^?]*\.tsx?(\?|$))([/?]|$)`;

/** Imports the React plugin here, because it is a dev dependency and `npm run build` does not need it. */
async function development(): Promise<UserConfig> {
  const { default: react } = await import('@vitejs/plugin-react');
  const apiUrl = process.env['COUNCIL_BASE_URL'] ?? 'http://127.0.0.1:3000';
  return {
    appType: 'custom',
    plugins: [react(), renderOnServer(apiUrl)],
    // Keeps the Host header of the browser, because the API compares it with Origin.
    server: { proxy: { [apiPaths]: { target: apiUrl, changeOrigin: false } } },
  };
}

/** Renders each page from the current sources, as the API does from `dist`. */
function renderOnServer(apiUrl: string): Plugin {
  return {
    name: 'render-on-server',
    // Otherwise a page would be without styles until its modules are loaded.
    transformIndexHtml: () => [{ tag: 'link', attrs: { rel: 'stylesheet', href: '/style/index.css' } }],
    // The returned function runs after vite has added its own middleware, which serves modules and the API.
    configureServer: vite => () => {
      vite.middlewares.use((request, response) => {
        void respond(vite, { url: request.originalUrl ?? '/', apiUrl }, response);
      });
    },
  };
}

async function respond(
  vite: ViteDevServer,
  request: { readonly url: string; readonly apiUrl: string },
  response: ServerResponse,
): Promise<void> {
  try {
    const source = await readFile(join(import.meta.dirname, 'index.html'), 'utf8');
    const template = await vite.transformIndexHtml('/index.html', source, request.url);
    const { renderPage } = await vite.ssrLoadModule('/server.tsx');
    const { status, html } = await renderPage({ ...request, template, apiHeaders: {} });
    response.writeHead(status, { 'content-type': 'text/html', 'cache-control': 'no-cache' }).end(html);
  } catch (error) {
    if (error instanceof Error) vite.ssrFixStacktrace(error);
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(error instanceof Error ? error.stack : String(error));
  }
}
