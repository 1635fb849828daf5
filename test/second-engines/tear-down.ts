import tearDownStage from '../contract/tear-down.ts';
import { askedOf, ENGINES } from './requests.ts';

/** Stops all that the run has started, and counts what its stage has asked the engines. */
export default async function tearDown({
  testPathPatterns,
}: {
  testPathPatterns: { isSet(): boolean };
}): Promise<void> {
  const { genwayStage: stage, genwayEngines: engines } = globalThis;
  await tearDownStage();
  await engines?.stop();
  // Some tests alone need no objects or messages, but every stage has rows.
  const needed = testPathPatterns.isSet() ? ['dynamodb'] : ENGINES;
  if (stage && engines) console.log(await askedOf(engines.requests, needed));
}
