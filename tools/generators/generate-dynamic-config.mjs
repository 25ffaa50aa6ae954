import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

/**
 * `npm run temporal-config`: writes the dynamic configuration of an external Temporal server from temporal.yaml, so that
 * it has what the embedded server gets as flags. A test compares the two.
 */
const path = 'deploy/temporal/dynamic-config.yaml';
const head = `# Written by \`npm run temporal-config\` from the flags of the embedded server in temporal.yaml. Do not edit.
`;

/** @type {readonly string[]} */
const flags = parse(readFileSync('temporal.yaml', 'utf8')).embedded_server.flags;
const settings = flags.flatMap((flag, index) =>
  flag === '--dynamic-config-value' ? [settingOf(flags[index + 1] ?? '')] : [],
);
writeFileSync(path, `${head}${stringify(Object.fromEntries(settings))}`);
process.stderr.write(`Wrote ${path}.\n`);

/** @param {string} assignment `key=value`, the value in JSON, as Temporal's command line takes it */
function settingOf(assignment) {
  const [, key = '', value = ''] = /^([\w.]+)=(.+)$/.exec(assignment) ?? [];
  if (key === '') throw new Error(`temporal.yaml: ${assignment} is not key=value`);
  return [key, [{ value: JSON.parse(value) }]];
}
