import { type Import, importsOf, targetOf } from './import-graph.js';
import type { SourceFile } from './source-files.js';

interface FolderRule {
  /** Folders whose values and types may be imported, besides the folder itself. */
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Packages that may be imported; `node:` and everything else unless listed. Absent: any. */
  readonly packages?: readonly RegExp[];
  /** A folder whose functions depend on their arguments alone: no clock, no chance, no environment. */
  readonly pure?: true;
}

const apiFolders = [
  'mcp',
  'contract',
  'council',
  'record',
  'purchase',
  'db',
  'markets',
  'payments',
  'platform',
  'sales',
  'workflows',
];

/**
 * Which folders a folder may import. The longest path that contains a file decides: `platform/` has a rule for each of
 * its folders. `api` is imported by no other folder, and `cli` by none but itself.
 */
const rules: Readonly<Record<string, FolderRule>> = {
  council: { folders: [], packages: [/^zod$/], pure: true },
  // What is sold, and what became of a forecast, are two subjects: neither may know the other.
  record: { folders: ['council'], packages: [/^zod$/], pure: true },
  purchase: { folders: ['council'], packages: [], pure: true },
  contract: { folders: ['council', 'record', 'purchase'], typesOf: ['client'], packages: [/^zod$/] },
  // A package of its own, which runs in Node and in browsers.
  client: { folders: [], packages: [] },
  mcp: {
    folders: ['client', 'contract', 'council', 'purchase', 'platform/net'],
    packages: [/^zod$/, /^@modelcontextprotocol\/sdk\//, /^node:/],
  },
  workflows: {
    folders: ['council', 'record', 'purchase'],
    typesOf: ['activities'],
    packages: [/^@temporalio\/(workflow|common)$/, /^async-mutex$/],
  },
  activities: {
    folders: ['council', 'record', 'purchase', 'db', 'providers', 'markets', 'payments', 'platform', 'sales'],
  },
  // It starts runs, so it knows what they are called.
  sales: { folders: ['council', 'purchase', 'db', 'platform', 'workflows'] },
  providers: { folders: ['council', 'simulator', 'platform/net'] },
  markets: { folders: ['council', 'purchase', 'simulator/events', 'platform/net'] },
  payments: {
    folders: ['council', 'purchase', 'db', 'platform/net'],
    packages: [/^stripe$/, /^zod$/, /^node:util$/],
  },
  simulator: { folders: ['council', 'record', 'providers', 'markets', 'platform/net'] },
  'simulator/record': { folders: ['council', 'record', 'simulator', 'db', 'markets', 'providers'] },
  db: { folders: ['council', 'record', 'purchase', 'platform/net'] },
  'platform/net': { folders: [], packages: [/^node:/] },
  'platform/keys': { folders: ['platform/settings'], packages: [/^zod$/, /^node:/] },
  'platform/settings': { folders: ['council', 'purchase', 'platform'] },
  'platform/temporal': { folders: ['council', 'platform'] },
  'platform/telemetry': { folders: ['council', 'record', 'purchase', 'db', 'workflows', 'platform/net'] },
  'platform/embedded': { folders: ['platform/net'] },
  'platform/mail': { folders: ['purchase'], packages: [/^(nodemailer|pino)$/, /^node:/] },
  'platform/webhooks': { folders: ['council', 'platform/net'], packages: [/^node:/] },
  'platform/timestamps': { folders: [], packages: [/^(pkijs|asn1js)$/, /^node:/] },
  // Serves the tools over HTTP. They do not import it; they call it as any client does.
  api: { folders: apiFolders },
  // The composition reads in the model catalogue who searches.
  'api/server': { folders: ['api', ...apiFolders, 'providers'] },
  cli: {
    folders: [
      'client',
      'contract',
      'council',
      'record',
      'purchase',
      'db',
      'providers',
      'markets',
      'payments',
      'simulator',
      'platform',
    ],
  },
  // Its pages run in browsers, and on the server as one more client of the public API.
  web: {
    folders: ['client', 'contract'],
    packages: [/^(react|react-dom|react-router|@tanstack\/react-query|zod|vite)(\/|$)/],
  },
};

/** The composition roots: the only files that read the environment. */
const roots = [
  'api/main.ts',
  'activities/worker.ts',
  'cli/start.ts',
  'cli/council.ts',
  'cli/migrate.ts',
  'cli/dev/main.ts',
  'mcp/main.ts',
  'tools/bench/main.ts',
];

/** What a pure function must not touch. */
const impure =
  /\b(Date\.now|Math\.random|performance\.now|setTimeout|setInterval|fetch)\s*\(|\bnew Date\(\)|\bcrypto\b\./;

/** Every violation of the rules on imports, on the environment and on pure functions. */
export function importViolations(files: readonly SourceFile[]): string[] {
  return files.filter(isService).flatMap(file => {
    const folder = folderOf(file.path);
    return folder === undefined
      ? [`${file.path} is in a folder without a rule`]
      : [
          ...importsOf(file).flatMap(found => violationsOf(file.path, folder, found)),
          ...purityOf(file, folder),
        ];
  });
}

/** The longest folder with a rule that contains the file. */
function folderOf(path: string): string | undefined {
  return Object.keys(rules)
    .filter(folder => path.startsWith(`${folder}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** The configuration of a build tool is no part of the service. */
function isService({ path }: SourceFile): boolean {
  return !path.endsWith('.config.ts');
}

function violationsOf(path: string, folder: string, { from, typeOnly }: Import): string[] {
  const rule = rules[folder];
  if (rule === undefined) return [];
  if (!from.startsWith('.')) {
    const allowed = rule.packages === undefined || rule.packages.some(shape => shape.test(from));
    const zodFree =
      rule.pure !== true || from !== 'zod' || /^council\/answers\/|\/parse-[\w-]+\.ts$/.test(path);
    return allowed && zodFree ? [] : [`${path} imports ${from}`];
  }
  const target = targetOf(path, from);
  const isIn = (folders: readonly string[]) => folders.some(each => target.startsWith(`${each}/`));
  const allowed = isIn([folder, ...rule.folders]) || (typeOnly && isIn(rule.typesOf ?? []));
  return allowed ? [] : [`${path} imports ${from}`];
}

function purityOf({ path, text }: SourceFile, folder: string): string[] {
  const readsEnvironment = /\bprocess\.env\b/.test(text) && !roots.includes(path);
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return [
    ...(readsEnvironment ? [`${path} reads the environment`] : []),
    ...(rules[folder]?.pure === true && impure.test(code) ? [`${path} is not pure`] : []),
  ];
}
