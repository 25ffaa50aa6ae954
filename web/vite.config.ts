import { defineConfig } from 'vite';

/** Bundles what a browser loads. The server renders with the very same pages, as `tsc` compiles them. */
export default defineConfig({
  root: import.meta.dirname,
  // Nothing but what the pages import is public.
  publicDir: false,
  build: {
    outDir: '../dist/web-client',
    emptyOutDir: true,
    assetsDir: 'assets',
    // An inlined asset would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark what belongs into a browser; here all of it does.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  logLevel: 'warn',
});
