import { type Bundle, changedBundles } from './bundles.ts';
import { type Programs, UPLOAD_SERVER } from './programs.ts';

export interface RedeployPorts {
  /** False if the stage has no such function. */
  readonly update: (name: string, file: string) => Promise<boolean>;
  readonly restartUploads: () => Promise<void>;
  readonly tell: (text: string) => void;
  readonly programs: Pick<Programs, 'buildFrom' | 'bundles'>;
}

/** Rebuilds the programs of the changed files, then deploys those whose bundle has changed. */
export async function redeployer({ update, restartUploads, tell, programs }: RedeployPorts) {
  let deployed: readonly Bundle[] = await programs.bundles();
  return async (files: ReadonlySet<string>): Promise<void> => {
    try {
      await programs.buildFrom(files);
    } catch {
      // esbuild has already printed where and why.
      tell('Nothing is redeployed, because the build fails');
      return;
    }
    const updated: string[] = [];
    const changed = changedBundles(deployed, await programs.bundles());
    for (const bundle of changed) {
      const { name, file } = bundle;
      if (name === UPLOAD_SERVER) await restartUploads();
      const isThere = name === UPLOAD_SERVER || (await update(name, file));
      if (isThere) updated.push(name);
      else tell(`${name} is new: restart to deploy it`);
      deployed = [...deployed.filter((known) => known.name !== name), bundle];
    }
    if (updated.length > 0) tell(`Redeployed ${listed(updated)}`);
    if (changed.length === 0) tell('No function has changed');
  };
}

const SHOWN = 5;

function listed(names: readonly string[]): string {
  if (names.length <= SHOWN) return names.join(', ');
  return `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
}
