import { dirname, join, normalize } from 'node:path';
import type { SourceFile } from './source-files.js';

export interface Import {
  /** As written: a package, or a path that begins with a dot. */
  readonly from: string;
  readonly typeOnly: boolean;
}

const statement =
  /\b(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

export function importsOf({ text }: SourceFile): Import[] {
  return [...text.matchAll(statement)].map(([whole, type, from, bare, dynamic]) => ({
    from: from ?? bare ?? dynamic ?? '',
    typeOnly: type !== undefined || hasOnlyTypes(whole),
  }));
}

/** `import { type A, type B } from …`. */
function hasOnlyTypes(written: string): boolean {
  const names = /^\w+\s*\{([^}]*)\}\s*from/.exec(written)?.[1]?.split(',') ?? [];
  return names.length > 0 && names.every(name => /^\s*(type\s|$)/.test(name));
}

/** The path that a relative import of a file leads to. */
export function targetOf(path: string, from: string): string {
  return normalize(join(dirname(path), from));
}

/** Which files each file imports: by value, or also for types alone. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

export function importGraph(files: readonly SourceFile[], { types }: { types: boolean }): ImportGraph {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(file => [
      file.path,
      new Set(
        importsOf(file)
          .filter(({ from, typeOnly }) => from.startsWith('.') && (types || !typeOnly))
          .map(({ from }) => sourceAt(targetOf(file.path, from), known))
          .filter(target => target !== null),
      ),
    ]),
  );
}

function sourceAt(target: string, known: ReadonlySet<string>): string | null {
  const candidates = [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')];
  return candidates.find(candidate => known.has(candidate)) ?? null;
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
export function cyclesIn(graph: ImportGraph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1 || graph.get(file)?.has(file) === true) cycles.push(component.toSorted());
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles;
}

/** Every file that `entry` loads, with itself. */
export function reachableFrom(graph: ImportGraph, entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const next of graph.get(entry) ?? []) reachableFrom(graph, next, seen);
  return seen;
}
