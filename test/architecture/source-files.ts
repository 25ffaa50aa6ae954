import { readdirSync, readFileSync } from 'node:fs';

/** A file of the project, by its path from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Folders that are compiled into the service or its tools. Tests and measurements follow fewer rules. */
export const serviceFolders = [
  'activities',
  'api',
  'cli',
  'client',
  'config',
  'contract',
  'council',
  'db',
  'dev',
  'embedded',
  'markets',
  'mcp',
  'net',
  'payments',
  'mail',
  'timestamps',
  'billing',
  'providers',
  'telemetry',
  'web',
  'workflows',
];

/** The TypeScript files of these folders. A folder that does not exist has none. */
export function sourcesIn(folders: readonly string[]): SourceFile[] {
  return folders.flatMap(folder => filesIn(folder, /\.(tsx?|mjs)$/));
}

/** The documents of the project: Markdown in the root folder and in `folders`. */
export function documentsIn(folders: readonly string[]): SourceFile[] {
  const atRoot = readdirSync('.').filter(name => name.endsWith('.md'));
  return [
    ...atRoot.map(path => ({ path, text: readFileSync(path, 'utf8') })),
    ...folders.flatMap(folder => filesIn(folder, /\.md$/)),
  ];
}

function filesIn(folder: string, name: RegExp): SourceFile[] {
  const names = (() => {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' });
    } catch {
      return [];
    }
  })();
  return names
    .filter(each => name.test(each))
    .map(each => ({ path: `${folder}/${each}`, text: readFileSync(`${folder}/${each}`, 'utf8') }));
}
