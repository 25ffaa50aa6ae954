export default async function stopServices({ watch, watchAll }) {
  const child = globalThis.councilTestServices;
  if (child === undefined || watch || watchAll) return;
  globalThis.councilTestServices = undefined;
  if (!child.connected) return;
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.disconnect();
  await ended;
}
