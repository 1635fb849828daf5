import * as v from 'valibot';
import { invalidKey, Overloaded } from '../../http/errors.ts';
import { invalidField } from '../../http/invalid-field.ts';
import { foreignWorkspace } from '../../workspaces/acting-workspace.ts';
import { type KeyReply, type KeyRequest, keyReplySchema } from './account-key.ts';

/** The only way to a provider's key for programs that read files: they have no right to decrypt. */
export type AskForAccountKey = (request: KeyRequest) => Promise<string>;

/**
 * Asks anew each time; only the function that opens keys may cache them.
 * @param invoke calls the function that opens keys
 * @throws Unauthenticated, PermissionDenied, InvalidRequest, Overloaded
 */
export function askForAccountKey(invoke: (request: KeyRequest) => Promise<unknown>): AskForAccountKey {
  return async (request) => {
    const reply = readReply(await invoke(request));
    if (reply.outcome === 'opened') return reply.apiKey;
    throw refusals[reply.outcome](request);
  };
}

const refusals: Readonly<
  Record<Exclude<KeyReply['outcome'], 'opened'>, (request: Pick<KeyRequest, 'provider'>) => Error>
> = {
  none: ({ provider }) =>
    invalidField('provider', `no key for ${provider} is stored for this workspace; add one at /byok`),
  unauthenticated: () => invalidKey(),
  foreign: () => foreignWorkspace(),
  // All routes of files have a 503.
  busy: () => new Overloaded(true),
};

/** An error of the schema's would put the reply, which contains a provider's key, into the log. */
function readReply(reply: unknown): KeyReply {
  const { success, output } = v.safeParse(keyReplySchema, reply);
  if (!success) throw new Error('The function that opens provider keys gave an unknown answer');
  return output;
}
