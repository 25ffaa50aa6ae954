/** Servers that somebody else runs. */
export interface ExternalServers {
  /** With the role of the owner of a database that nobody has used. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
}

/** The servers of this environment cannot be used. The message is for the caller of the command. */
export class ServersRefused extends Error {
  override readonly name = 'ServersRefused';
}

const names = ['DATABASE_URL', 'TEMPORAL_ADDRESS'] as const;

/**
 * The servers that the environment names; null if it names none, and each measurement starts its own.
 * @throws ServersRefused where it names only one: half of a result would be that of another machine
 */
export function readServers(env: NodeJS.ProcessEnv): ExternalServers | null {
  const [databaseUrl, temporalAddress] = names.map(name => env[name] || undefined);
  if (databaseUrl !== undefined && temporalAddress !== undefined) return { databaseUrl, temporalAddress };
  if (databaseUrl === undefined && temporalAddress === undefined) return null;
  const [set, missing] = databaseUrl === undefined ? names.toReversed() : names;
  throw new ServersRefused(
    `${set} is set and ${missing} is not. Set both to measure on your servers, or neither for those of the bench.`,
  );
}

/** The same environment without the servers. */
export function withoutServers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...Object.fromEntries(names.map(name => [name, undefined])) };
}
