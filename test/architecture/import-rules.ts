import { dirname, join, normalize } from 'node:path';

/** One source file, by its path from the project's root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface FolderRule {
  /** Folders whose values and types may be imported. */
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Packages that may be imported; `node:` and everything else unless listed. Absent: any. */
  readonly packages?: readonly RegExp[];
}

/** Which way the arrows point. Nobody lists `api` or `cli` but themselves. */
const rules: Readonly<Record<string, FolderRule>> = {
  council: { folders: ['council'], packages: [/^zod$/] },
  contract: { folders: ['contract', 'council'], packages: [/^zod$/] },
  mcp: {
    folders: ['mcp', 'contract', 'council'],
    packages: [/^zod$/, /^@modelcontextprotocol\/sdk\//, /^node:/],
  },
  workflows: {
    folders: ['council', 'workflows'],
    typesOf: ['activities'],
    packages: [/^@temporalio\/(workflow|common)$/],
  },
  telemetry: { folders: ['telemetry', 'db', 'workflows'] },
  activities: {
    folders: ['activities', 'telemetry', 'council', 'db', 'providers', 'markets', 'payments', 'config'],
  },
  providers: { folders: ['providers', 'council'] },
  markets: { folders: ['markets', 'council'] },
  payments: { folders: ['payments', 'council'], packages: [/^stripe$/, /^zod$/] },
  db: { folders: ['db', 'council'] },
  config: { folders: ['config', 'council'] },
  // It serves the tools over HTTP; they know nothing of it, and ask it as any client does.
  api: {
    folders: [
      'api',
      'mcp',
      'telemetry',
      'contract',
      'council',
      'db',
      'markets',
      'payments',
      'config',
      'workflows',
    ],
  },
  cli: { folders: ['cli', 'embedded', 'contract', 'council', 'db', 'providers', 'payments', 'config'] },
  embedded: { folders: ['embedded'] },
  dev: { folders: ['dev', 'cli', 'config'], packages: [/^vite$/, /^@swc\/core$/, /^node:/] },
  // Its pages run in browsers, and on the server as a client of the public API like any other.
  web: {
    folders: ['web', 'contract'],
    packages: [/^(react|react-dom|react-router|@tanstack\/react-query|zod|vite)(\/|$)/],
  },
  bench: {
    folders: ['bench', 'council', 'workflows', 'db', 'markets', 'config', 'embedded'],
  },
};

/** Where the environment may be read: the composition roots. */
const roots = [
  'api/main.ts',
  'activities/worker.ts',
  'cli/start.ts',
  'cli/council.ts',
  'cli/migrate.ts',
  'dev/main.ts',
  'mcp/main.ts',
  'bench/main.ts',
];

/** What a pure function must not touch. */
const impure =
  /\b(Date\.now|Math\.random|performance\.now|setTimeout|setInterval|fetch)\s*\(|\bnew Date\(\)|\bcrypto\b\./;

/** Every place where the house rules on imports and purity are broken. */
export function importViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(file => {
    const folder = file.path.split('/')[0] ?? '';
    const rule = rules[folder];
    return rule === undefined
      ? [`${file.path}: ${folder}/ has no rule`]
      : [...importsOf(file).flatMap(found => judge(file.path, rule, found)), ...purityOf(file, folder)];
  });
}

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

const statement =
  /\b(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

function importsOf({ text }: SourceFile): Import[] {
  return [...text.matchAll(statement)].map(([, type, from, bare, dynamic]) => ({
    from: from ?? bare ?? dynamic ?? '',
    typeOnly: type !== undefined,
  }));
}

function judge(path: string, rule: FolderRule, { from, typeOnly }: Import): string[] {
  if (!from.startsWith('.')) {
    const allowed = rule.packages === undefined || rule.packages.some(shape => shape.test(from));
    const zodFree =
      !path.startsWith('council/') || from !== 'zod' || /^council\/answers\/|\/parse-[\w-]+\.ts$/.test(path);
    return allowed && zodFree ? [] : [`${path} imports ${from}`];
  }
  const target = normalize(join(dirname(path), from)).split('/')[0] ?? '';
  const allowed = rule.folders.includes(target) || (typeOnly && rule.typesOf?.includes(target) === true);
  return allowed ? [] : [`${path} imports ${from}`];
}

function purityOf({ path, text }: SourceFile, folder: string): string[] {
  const readsEnvironment = /\bprocess\.env\b/.test(text) && !roots.includes(path);
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return [
    ...(readsEnvironment ? [`${path} reads the environment`] : []),
    ...(folder === 'council' && impure.test(code) ? [`${path} is not pure`] : []),
  ];
}
