import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LambdaClient, paginateListFunctions, UpdateFunctionCodeCommand } from '@aws-sdk/client-lambda';
import { zipSync } from 'fflate';
import type { AwsAccess } from '../emulator/aws-access.ts';

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
