import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

/** The outputs of the deployed stack: all of them, and by name those that a local run needs. */
const stackOutputsSchema = v.objectWithRest(
  {
    ApiId: v.string(),
    KeysTable: v.string(),
    ListsTable: v.string(),
    AccountsTable: v.string(),
    WorkspacesTable: v.string(),
    GuardrailsTable: v.string(),
    /** By which the edge checks links to downloads, as PEM. */
    DownloadsPublicKey: v.string(),
    FilesBucket: v.string(),
    ResultsBucket: v.string(),
    /** Environment variables of the upload server. */
    UploadEnvironment: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  },
  v.string(),
);
export type StackOutputs = v.InferOutput<typeof stackOutputsSchema>;

/** Reads the file that `cdk deploy --outputs-file` wrote. */
export async function readOutputs(path: string, stackName: string): Promise<StackOutputs> {
  const file = v.object({ [stackName]: stackOutputsSchema });
  const outputs = v.parse(file, JSON.parse(await readFile(path, 'utf8')))[stackName];
  if (outputs === undefined) throw new Error(`${path} has no outputs of ${stackName}`);
  return outputs;
}
