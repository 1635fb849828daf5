import setUpStage from '../contract/set-up.ts';
import setUpEngines from './set-up.ts';

/** Deploys a stage whose emulator passes to the engines what concerns rows, objects and messages. */
export default async function setUp(): Promise<void> {
  await setUpEngines();
  await setUpStage();
}
