import { type Import, importsOf, targetOf } from './import-graph.js';
import type { SourceFile } from './source-files.js';

interface FolderRule {
  /** Folders whose values and types may be imported. */
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Packages that may be imported; `node:` and everything else unless listed. Absent: any. */
  readonly packages?: readonly RegExp[];
}

/** Which folders a folder may import. `api` is imported by no other folder, and `cli` only by `dev`. */
const rules: Readonly<Record<string, FolderRule>> = {
  council: { folders: ['council'], packages: [/^zod$/] },
  contract: { folders: ['contract', 'council'], packages: [/^zod$/] },
  net: { folders: ['net'], packages: [/^node:/] },
  // Runs in Node and in browsers.
  client: { folders: ['client', 'contract', 'council'], packages: [/^zod$/] },
  mcp: {
    folders: ['mcp', 'client', 'contract', 'council', 'net'],
    packages: [/^zod$/, /^@modelcontextprotocol\/sdk\//, /^node:/],
  },
  workflows: {
    folders: ['council', 'workflows'],
    typesOf: ['activities'],
    packages: [/^@temporalio\/(workflow|common)$/, /^async-mutex$/],
  },
  telemetry: { folders: ['telemetry', 'council', 'db', 'workflows', 'net'] },
  activities: {
    folders: [
      'activities',
      'telemetry',
      'council',
      'db',
      'providers',
      'markets',
      'payments',
      'timestamps',
      'billing',
      'config',
      'net',
    ],
  },
  providers: { folders: ['providers', 'council', 'net'] },
  markets: { folders: ['markets', 'council', 'net'] },
  payments: { folders: ['payments', 'council', 'net'], packages: [/^stripe$/, /^zod$/] },
  mail: { folders: ['mail', 'council'], packages: [/^(nodemailer|pino)$/, /^node:/] },
  timestamps: { folders: ['timestamps'], packages: [/^(pkijs|asn1js)$/, /^node:/] },
  // What the API and the worker do alike with what the payment provider reports.
  billing: { folders: ['billing', 'council', 'db', 'payments'], packages: [/^node:util$/] },
  db: { folders: ['db', 'council', 'net'] },
  config: { folders: ['config', 'council', 'net'] },
  // Serves the tools over HTTP. They do not import it; they call it as any client does.
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
      'mail',
      'billing',
      'config',
      'workflows',
      'net',
    ],
  },
  cli: {
    folders: [
      'cli',
      'embedded',
      'client',
      'contract',
      'council',
      'db',
      'providers',
      'markets',
      'payments',
      'config',
      'net',
    ],
  },
  embedded: { folders: ['embedded', 'net'] },
  dev: { folders: ['dev', 'cli', 'config'], packages: [/^vite$/, /^@swc\/core$/, /^node:/] },
  // Its pages run in browsers, and on the server as one more client of the public API.
  web: {
    folders: ['web', 'client', 'contract'],
    packages: [/^(react|react-dom|react-router|@tanstack\/react-query|zod|vite)(\/|$)/],
  },
  bench: {
    folders: ['bench', 'council', 'workflows', 'db', 'markets', 'config', 'embedded', 'net'],
  },
};

/** The composition roots: the only files that read the environment. */
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

/** Every violation of the rules on imports, on the environment and on pure functions. */
export function importViolations(files: readonly SourceFile[]): string[] {
  return files.filter(isService).flatMap(file => {
    const folder = file.path.split('/')[0] ?? '';
    const rule = rules[folder];
    return rule === undefined
      ? [`${file.path}: ${folder}/ has no rule`]
      : [
          ...importsOf(file).flatMap(found => violationsOf(file.path, rule, found)),
          ...purityOf(file, folder),
        ];
  });
}

/** The configuration of a build tool is no part of the service. */
function isService({ path }: SourceFile): boolean {
  return !path.endsWith('.config.ts');
}

function violationsOf(path: string, rule: FolderRule, { from, typeOnly }: Import): string[] {
  if (!from.startsWith('.')) {
    const allowed = rule.packages === undefined || rule.packages.some(shape => shape.test(from));
    const zodFree =
      !path.startsWith('council/') || from !== 'zod' || /^council\/answers\/|\/parse-[\w-]+\.ts$/.test(path);
    return allowed && zodFree ? [] : [`${path} imports ${from}`];
  }
  const target = targetOf(path, from).split('/')[0] ?? '';
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
