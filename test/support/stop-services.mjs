export default async function stopServices() {
  await globalThis.stopCouncilTestServices?.();
}
