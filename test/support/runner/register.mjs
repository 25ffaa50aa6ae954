import { register } from 'node:module';

/** Loaded before any test (`NODE_OPTIONS` of `npm test`). */
register('./module-hooks.mjs', import.meta.url);
