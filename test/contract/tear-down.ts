import { rm } from 'node:fs/promises';

export default async function tearDown(): Promise<void> {
  const stage = globalThis.genwayStage;
  await stage?.stop();
  await globalThis.genwayVendors?.close();
  globalThis.genwayIssuer?.close();
  if (stage !== undefined) await rm(stage.state.root, { recursive: true, force: true });
}
