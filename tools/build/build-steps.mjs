import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} inputs Files and folders that the result depends on.
 * @property {readonly string[]} outputs Files and folders that the command writes, below `dist/` of the project or of a
 *   package.
 * @property {readonly string[]} command
 * @property {string} [cache] A compiler's own record of what it has written.
 * @property {true} [leavesStale] Whether outputs of sources that no longer exist are left, as by a compiler; bundlers empty
 *   their folder themselves.
 */

/**
 * Runs each step whose inputs or outputs differ from those of its last success. Contents are compared, not times: a
 * checkout or a copied folder changes times only.
 *
 * @param {string} root
 * @param {readonly Step[]} steps
 */
export function runSteps(root, steps) {
  const recordPath = join(root, 'dist', '.build.json');
  const record = readRecord(recordPath);
  const hashes = new Map();
  for (const step of steps) {
    const inputs = fingerprint(root, step.inputs, hashes);
    const last = record[step.name];
    const isIntact = last !== undefined && last.outputs === fingerprint(root, step.outputs);
    if (isIntact && last.inputs === inputs) continue;
    process.stderr.write(`Building: ${step.name}\n`);
    // Compilers write only what changed since their last run, so they would not replace a file that was lost since.
    if (step.cache !== undefined && !isIntact) rmSync(join(root, step.cache), { force: true });
    run(root, step.command);
    if (step.leavesStale === true) removeStale(root, step.outputs);
    record[step.name] = { inputs, outputs: fingerprint(root, step.outputs) };
    writeRecord(recordPath, record);
  }
}

/** @param {string} path */
function readRecord(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {string} path @param {unknown} record */
function writeRecord(path, record) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(record, null, 2));
  renameSync(draft, path);
}

/** @param {string} root @param {readonly string[]} command */
function run(root, [program, ...args]) {
  const path = program === 'node' ? process.execPath : join(root, program);
  // Also in tests: otherwise the bundler would take React's development build, which is three times as large.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, error } = spawnSync(path, args, { cwd: root, stdio: 'inherit', env });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** @param {string} root @param {readonly string[]} paths @param {Map<string, string>} [hashes] of files already read */
function fingerprint(root, paths, hashes = new Map()) {
  const total = createHash('sha256');
  for (const file of paths.flatMap(path => filesIn(root, path)).sort()) {
    const hash =
      hashes.get(file) ??
      createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('hex');
    hashes.set(file, hash);
    total.update(`${file} ${hash}\n`);
  }
  return total.digest('hex');
}

/**
 * @param {string} root @param {string} path
 * @returns {string[]} relative to the root; documents are left out, and what a package has built in its own `dist/`
 */
function filesIn(root, path) {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.md'))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(file => !file.startsWith(join(path, 'dist/')));
}

/**
 * Removes what a compiler wrote for a source that no longer exists.
 *
 * @param {string} root @param {readonly string[]} outputs
 */
function removeStale(root, outputs) {
  for (const file of outputs.flatMap(output => filesIn(root, output))) {
    const source = file.replace(/(^|\/)dist\//, '$1');
    const sources = [source, source.replace(/\.(js|d\.ts)$/, '.ts'), source.replace(/\.js$/, '.tsx')];
    if (!sources.some(path => existsSync(join(root, path)))) rmSync(join(root, file));
  }
}
