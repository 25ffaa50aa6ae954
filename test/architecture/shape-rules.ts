import { basename, dirname } from 'node:path';
import { importsOf, targetOf } from './import-graph.js';
import type { SourceFile } from './source-files.js';

/**
 * Entry points, and nouns that several layers share: the table, the routes, the public JSON and the page of
 * one thing.
 */
const sharedNames = new Set([
  'index',
  'main',
  'accounts',
  'batches',
  'billing',
  'credits',
  'deliberation',
  'event',
  'events',
  'keys',
  'provider-keys',
  'purchase',
  'purchases',
  'quotes',
  'report',
  'reports',
  'service',
  'track-record',
  'webhooks',
]);

const sameNameMax = 2;
export const filesInFolderMax = 25;

/** Basenames that are used more than twice, with their files. */
export function repeatedNames(files: readonly SourceFile[]): string[] {
  return groups(files, ({ path }) => basename(path).replace(/\.\w+$/, ''))
    .filter(([name, found]) => found.length > sameNameMax && !sharedNames.has(name))
    .map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(', ')}`);
}

export function crowdedFolders(files: readonly SourceFile[]): string[] {
  return groups(files, ({ path }) => dirname(path))
    .filter(([folder, found]) => found.length > filesInFolderMax && folder !== numberedFolder)
    .map(([folder, found]) => `${folder}: ${found.length} files`);
}

/** Its files are a numbered list of which none may be removed. */
const numberedFolder = 'db/migrations';

function groups(
  files: readonly SourceFile[],
  keyOf: (file: SourceFile) => string,
): [key: string, files: SourceFile[]][] {
  const found = new Map<string, SourceFile[]>();
  for (const file of files) found.set(keyOf(file), [...(found.get(keyOf(file)) ?? []), file]);
  return [...found];
}

/** Words of a private dialect that this project has given up, each with the plain one. */
const dialect: readonly (readonly [plain: string, RegExp])[] = [
  ['a caller, a reader, anyone who', /\bwhoever\b/gi],
  ['permanently, until', /\bfor ever\b/gi],
  ['is given, receives', /\b(is|are) told\b/gi],
  ['a request', /\b(a|the) wish(es)?\b/gi],
  ['again', /\banew\b/gi],
  ['of it', /\bthereof\b/gi],
  ['a caller', /\bwho comes\b/gi],
];

/** Where the words appear. Lines that quote them, as the house rules do, are marked with `dialect:`. */
export function dialectIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        dialect
          .filter(([, word]) => line.search(word) !== -1 && !line.includes('dialect:'))
          .map(([plain, word]) => `${path}:${index + 1}: "${line.match(word)?.[0]}" (${plain})`),
      ),
  );
}

/** Which rooms of `council/` a room may import; every room may import the files beside the rooms. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  market: [],
  deliberation: [],
  evidence: [],
  prompts: ['market', 'deliberation'],
  answers: ['market', 'deliberation'],
  estimate: [],
  conclusion: ['market', 'deliberation', 'estimate'],
  questions: ['market', 'deliberation', 'evidence', 'prompts', 'answers', 'conclusion'],
};

/** Imports between the rooms of `council/` that run backwards. */
export function backwardImports(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('council/'))
    .flatMap(file => {
      const room = roomOf(file.path);
      if (room !== null && !(room in rooms)) return [`${file.path}: ${room} is a room without a rule`];
      const allowed = room === null ? [] : [room, ...(rooms[room] ?? [])];
      return importsOf(file)
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => targetOf(file.path, from))
        .filter(target => target.startsWith('council/'))
        .filter(target => roomOf(target) !== null && !allowed.includes(roomOf(target) ?? ''))
        .map(target => `${file.path} imports ${target}`);
    });
}

function roomOf(path: string): string | null {
  const [, room, file] = path.split('/');
  return file === undefined ? null : (room ?? null);
}
