import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/**
 * How Node loads modules in tests: sources are compiled when they are loaded, without a check of types. Compiled modules
 * are kept by their content, for all processes of this run and of later ones.
 */
const kept = fileURLToPath(new URL('../../../node_modules/.cache/tests/', import.meta.url));
mkdirSync(kept, { recursive: true });

/** Modules that tests load in place of others. */
const replacements = new Map([
  ['@jest/globals', new URL('./jest-globals.mjs', import.meta.url).href],
  ['@better-auth/utils/password', new URL('./quick-passwords.mjs', import.meta.url).href],
]);

/** An import names a compiled file, `./a.js`. What lies beside a test is its source, `./a.ts`. */
export function resolve(specifier, context, next) {
  const replacement = replacements.get(specifier);
  if (replacement !== undefined) return { url: replacement, shortCircuit: true };
  if (/^\.\.?\/.*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!/^file:[^?]*\.ts(\?|$)/.test(url)) return next(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

function compiled(path) {
  const source = readFileSync(path, 'utf8');
  const output = join(kept, createHash('sha256').update(`${path}\n${source}`).digest('hex'));
  if (existsSync(output)) return readFileSync(output, 'utf8');
  // The compiler is loaded only when a module is new: each process of tests would load it.
  const { transformSync } = require('@swc/core');
  const { code } = transformSync(source, {
    filename: path,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript' },
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
  });
  // Renamed into place: another process may look for it at the same moment.
  const draft = `${output}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, output);
  return code;
}
