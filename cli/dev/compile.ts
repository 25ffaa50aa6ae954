import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';

/**
 * Writes the JavaScript of a source file into `dist/` without checking types, and a file of data as it is; removes it
 * if the source is gone.
 */
export function compile(root: string, path: string): void {
  const output = join(root, compiledPath(path));
  let source: string;
  try {
    source = readFileSync(join(root, path), 'utf8');
  } catch {
    rmSync(output, { force: true });
    return;
  }
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, path.endsWith('.json') ? source : javaScriptOf(source, path));
}

function javaScriptOf(source: string, path: string): string {
  return transformSync(source, {
    filename: path,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript' },
      transform: { verbatimModuleSyntax: true },
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
  }).code;
}

/** Whether a module of `dist/` loads the compiled file of this source, directly or through other modules. */
export function loads(root: string, entry: string, source: string): boolean {
  return reachable(join(root, entry)).has(join(root, compiledPath(source)));
}

function compiledPath(source: string): string {
  return join('dist', source.replace(/\.ts$/, '.js'));
}

const relativeImport = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

function reachable(module: string, seen = new Set<string>()): Set<string> {
  if (seen.has(module)) return seen;
  seen.add(module);
  for (const [, from = ''] of read(module).matchAll(relativeImport)) {
    reachable(join(dirname(module), from), seen);
  }
  return seen;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
