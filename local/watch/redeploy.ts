import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LambdaClient, paginateListFunctions, UpdateFunctionCodeCommand } from '@aws-sdk/client-lambda';
import type { Metafile } from 'esbuild';
import { zipSync } from 'fflate';
import { BUNDLES, IMAGE_CONTEXT } from '../../lib/bundling/folders.ts';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { stageConfig } from '../../lib/stage/config.ts';
import { prepareImageContext } from '../../lib/upload-server/image-context.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import type { RunningStage } from '../stage.ts';
import { CHECKOUT } from '../system/state-folder.ts';
import { type SourceWatch, watchSources } from './watch-sources.ts';

/** Redeploys the functions of a stage and its upload server when files of functions/ change. */
export async function watchStage(
  { aws, restartUploads }: Pick<RunningStage, 'aws' | 'restartUploads'>,
  tell: (text: string) => void,
): Promise<SourceWatch> {
  const functions = new DeployedFunctions(aws);
  const update = (name: string, file: string) => functions.update(name, file);
  const programs = new Programs();
  const redeploy = await redeployer({ update, restartUploads, tell, programs });
  // Builds everything once more, to learn which files each program uses.
  await programs.buildAll();
  const isSource = (file: string) => /\.(ts|json)$/.test(file);
  const changed = async (files: ReadonlySet<string>) => {
    const sources = [...files].filter(isSource).map((file) => `functions/${file}`);
    if (sources.length > 0) await redeploy(new Set(sources));
  };
  return watchSources(join(CHECKOUT, 'functions'), changed, (error) =>
    tell(`The redeployment failed: ${error instanceof Error ? error.message : String(error)}`),
  );
}

interface RedeployPorts {
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
      tell('Nothing was redeployed, because the build failed');
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

/** The functions of a deployed stage, by the names of their bundles. */
export class DeployedFunctions {
  readonly #client: LambdaClient;

  constructor(access: AwsAccess) {
    this.#client = new LambdaClient({ ...access });
  }

  /** Deploys new code to a function. Returns false if the stage has no function of that name. */
  async update(name: string, file: string): Promise<boolean> {
    const FunctionName = await this.#physicalName(name);
    if (FunctionName === undefined) return false;
    const ZipFile = zipSync(await filesBeside(file));
    await this.#client.send(new UpdateFunctionCodeCommand({ FunctionName, ZipFile }));
    return true;
  }

  async #physicalName(name: string): Promise<string | undefined> {
    for await (const { Functions = [] } of paginateListFunctions({ client: this.#client }, {})) {
      const found = Functions.find(
        ({ Environment }) => Environment?.Variables?.POWERTOOLS_SERVICE_NAME === name,
      );
      if (found !== undefined) return found.FunctionName;
    }
    return undefined;
  }
}

/** The folder of a bundle also holds the files that the program imports lazily. */
async function filesBeside(file: string): Promise<Record<string, Uint8Array>> {
  const folder = dirname(file);
  const names = await readdir(folder);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}

/** The name of the upload server's bundle, which is beside the folder of the functions' bundles. */
const UPLOAD_SERVER = basename(IMAGE_CONTEXT);

/** The functions and the upload server. Each is rebuilt when one of its source files changes. */
class Programs {
  /** For each program, the files that its last build read, such as `functions/clock.ts`. */
  readonly #inputs = new Map<string, ReadonlySet<string>>();

  async buildAll(): Promise<void> {
    await this.#build(() => true);
  }

  /** @param files such as `functions/clock.ts` */
  async buildFrom(files: ReadonlySet<string>): Promise<void> {
    // An unknown file may be a new function.
    const isNew = [...files].some((file) => /\/endpoints\//.test(file) && !this.#isKnown(file));
    await this.#build((name) => isNew || [...files].some((file) => this.#inputs.get(name)?.has(file)));
  }

  async bundles(): Promise<Bundle[]> {
    const server = await bundlesIn(dirname(IMAGE_CONTEXT));
    return [...(await bundlesIn(BUNDLES)), ...server.filter(({ name }) => name === UPLOAD_SERVER)];
  }

  async #build(isWanted: (name: string) => boolean): Promise<void> {
    this.#note(await bundleFunctions(stageConfig('local').videos.models, isWanted));
    if (isWanted(UPLOAD_SERVER)) this.#note(await prepareImageContext());
  }

  #note({ outputs }: Metafile): void {
    for (const [file, { inputs }] of Object.entries(outputs)) {
      this.#inputs.set(basename(dirname(file)), new Set(Object.keys(inputs)));
    }
  }

  #isKnown(file: string): boolean {
    return [...this.#inputs.values()].some((inputs) => inputs.has(file));
  }
}

/** A bundled program: its name, its file, and a digest of its contents. */
export interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly digest: string;
}

/** The bundles in a folder that has a folder for each: `<name>/index.mjs`. */
async function bundlesIn(folder: string): Promise<Bundle[]> {
  const files = globSync('*/index.mjs', { cwd: folder }).sort();
  return Promise.all(
    files.map(async (path) => {
      const file = join(folder, path);
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return { name: basename(dirname(file)), file, digest };
    }),
  );
}

/** The bundles that are new or have changed. */
function changedBundles(before: readonly Bundle[], after: readonly Bundle[]): Bundle[] {
  const known = new Map(before.map(({ name, digest }) => [name, digest]));
  return after.filter(({ name, digest }) => known.get(name) !== digest);
}
