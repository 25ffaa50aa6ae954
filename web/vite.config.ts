import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { defineConfig, type Plugin, type ProxyOptions, type UserConfig, type ViteDevServer } from 'vite';

/**
 * `vite build` bundles what a browser loads; the server renders the same pages as compiled by `tsc`.
 * `vite` serves the page for development, with hot reload, and forwards API requests to `COUNCIL_BASE_URL`.
 */
export default defineConfig(
  async ({ command }): Promise<UserConfig> => ({
    root: import.meta.dirname,
    // The pages' imports alone are public.
    publicDir: false,
    build: {
      outDir: '../dist/web-client',
      emptyOutDir: true,
      assetsDir: 'assets',
      // An inlined asset would need `data:` in the Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The manifest lists the scripts of each page, so that its document can name them.
      manifest: 'manifest.json',
      // They lie beside the scripts, which do not name them, and are not served.
      sourcemap: 'hidden',
      rolldownOptions: {
        input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, 'reference.html')],
        // One script for what every page needs, one for what most pages share, one for what only pages of members
        // share, which a first visit does without: many small ones compress worse.
        output: {
          codeSplitting: {
            groups: [
              // The reference runs without React.
              { name: 'initial', tags: ['$initial'], test: id => !/\/web\/(style\/)?reference[./]/.test(id) },
              {
                name: 'common',
                test: /(web\/shared\/(?!confirm|idempotency|price)|council\/models|contract\/product)/,
                minShareCount: 3,
              },
              { name: 'members', test: /web\/(shared|api|account\/(use|members))/, minShareCount: 3 },
            ],
          },
        },
        // Libraries mark client code with "use client"; here everything is client code.
        onLog: (level, log, report) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
      },
    },
    logLevel: 'warn',
    ...(command === 'serve' ? await development() : production()),
  }),
);

function production(): UserConfig {
  return { resolve: { alias: productionRouter }, plugins: [unusedRouterCode(), scriptsAfterStyles()] };
}

const routerFolder = join(import.meta.dirname, '../node_modules/react-router/dist/production');

/** The package names only its development build, which also writes warnings to the console. */
const productionRouter = [{ find: /^react-router$/, replacement: join(routerFolder, 'index.mjs') }];

/**
 * Nothing in the router says that creating a component or a context has no side effects. Without these marks each
 * of them would be kept, with all that it calls: some 3 KB as sent.
 */
function unusedRouterCode(): Plugin {
  return {
    name: 'unused-router-code',
    transform: {
      filter: { id: /\/react-router\/dist\// },
      // Keeps the lines, so that the source map stays true.
      handler: code => ({
        code: code
          .replace(/= (React\d+\.(?:forwardRef|memo|createContext)\()/g, '= /* @__PURE__ */ $1')
          .replace(/^\w+\.displayName = "\w+";$/gm, ''),
        map: null,
      }),
    },
  };
}

/** A page can be read before its scripts are loaded, so they must not compete with what the first paint needs. */
function scriptsAfterStyles(): Plugin {
  return {
    name: 'scripts-after-styles',
    transformIndexHtml: {
      order: 'post',
      handler: html =>
        html.replace(/<(?=script type="module"|link rel="modulepreload")[^>]*/g, '$& fetchpriority="low"'),
    },
  };
}

/** Paths that the API serves, with the built files of the reference, except the modules of `web/api`, whose URLs also begin with `/api`. */
const apiPaths = String.raw`^/(api|mcp|docs|assets|openapi\.json)(?![^?]*\.tsx?(\?|$))([/?]|$)`;

/** Imports the React plugin here, because it is a dev dependency and `npm run build` does not need it. */
async function development(): Promise<UserConfig> {
  const { default: react } = await import('@vitejs/plugin-react');
  const apiUrl = process.env['COUNCIL_BASE_URL'] ?? 'http://127.0.0.1:3000';
  return {
    appType: 'custom',
    plugins: [react(), renderOnServer(apiUrl)],
    server: { proxy: { [apiPaths]: { target: apiUrl, configure: asPageOf(apiUrl) } } },
  };
}

/** The API trusts its own origin only, so pages of this server are presented as its own. */
function asPageOf(apiUrl: string): NonNullable<ProxyOptions['configure']> {
  return proxy => {
    proxy.on('proxyReq', (outgoing, { headers: { origin, host } }) => {
      if (origin === `http://${host}`) outgoing.setHeader('origin', new URL(apiUrl).origin);
    });
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
    const { status, html } = await renderPage({ ...request, template, scripts: {}, apiHeaders: {} });
    response.writeHead(status, { 'content-type': 'text/html', 'cache-control': 'no-cache' }).end(html);
  } catch (error) {
    if (error instanceof Error) vite.ssrFixStacktrace(error);
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(error instanceof Error ? error.stack : String(error));
  }
}
