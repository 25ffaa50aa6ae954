/**
 * Drops a database whose sessions may still be open. Not by `drop … with (force)`: an autovacuum that is at work there makes that fail,
 * because nobody but a superuser may end it. A drop without force asks it to go, and waits.
 */
export async function dropDatabase(
  name: string,
  run: (statement: string) => Promise<unknown>,
): Promise<void> {
  await run(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`,
  );
  await run(`drop database ${name}`);
}
