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
    // React, the router and zod are most of it, and every page needs all three: there is nothing to split off.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Libraries mark what belongs into a browser; here all of it does.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  logLevel: 'warn',
});
