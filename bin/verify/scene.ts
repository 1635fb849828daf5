import * as v from 'valibot';
import { type Answer, must, type StageCaller } from './stage-caller.ts';

const workspaceSchema = v.object({ data: v.object({ id: v.string() }) });
const keySchema = v.object({ key: v.string(), data: v.object({ hash: v.string() }) });

/** A separate workspace with its own key, so that other data is not affected. */
export interface Scene {
  readonly key: string;
  /** Deletes the workspace and its contents. */
  leave(): Promise<void>;
}

/** @throws PromiseBroken, ValiError */
export async function enterScene(stage: StageCaller, key: string, now: Date): Promise<Scene> {
  const slug = `verify-${now.getTime().toString(36)}`;
  const json = { name: 'Verification', slug };
  const workspace = await made(stage.call('POST', '/workspaces', { key, json }), workspaceSchema);
  const asked = { name: 'Verification', workspace_id: workspace.data.id };
  const close = () => removed(stage.call('DELETE', `/workspaces/${workspace.data.id}`, { key }));
  try {
    const issued = await made(stage.call('POST', '/keys', { key, json: asked }), keySchema);
    return {
      key: issued.key,
      leave: async () => {
        await removed(stage.call('DELETE', `/keys/${issued.data.hash}`, { key }));
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function made<const Schema extends v.GenericSchema>(
  answer: Promise<Answer>,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const { status, body } = await answer;
  must(status === 201, `a management key could not create a workspace and a key: the status is ${status}`);
  return v.parse(schema, body);
}

async function removed(answer: Promise<Answer>): Promise<void> {
  const { status } = await answer;
  must(status === 200, `the workspace of the verification could not be deleted: the status is ${status}`);
}
