import { assertMayApprove, type EndpointChange } from '../../approvals/approval.ts';
import { noteChange } from '../../audit/changed-fields.ts';
import { type NamedItems, refusedBy } from '../../aws/dynamo-writes.ts';
import { systemClock } from '../../clock.ts';
import { keyLives, keyStore } from '../../deployed/stores.ts';
import { offerStore, videoProviders } from '../../deployed/videos.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { Conflict, InvalidRequest } from '../../http/errors.ts';
import { beginKey, type NewKey } from '../../keys/create-key.ts';
import { AUDITED_OF_KEYS, describeKey } from '../../keys/shown-key.ts';
import { changeOffer, planDelete, planPut, planUpdate } from '../catalogue/offer-changes.ts';
import { decisionHandler } from './decision-handler.ts';
import { routes } from './definition.ts';

const keys = keyStore();
const lives = keyLives();
const offers = offerStore();
const plans = {
  'put-endpoint': planPut(videoProviders()),
  'update-endpoint': planUpdate,
  'delete-endpoint': planDelete,
};

/** The change is made in the name of the key that asked, which must still be alive, and as it was asked for. */
export const handler = decisionHandler(
  routes['approve-change'],
  'approved',
  async (call, approval, decision) => {
    await assertMayApprove(call.principal, approval);
    const { asked_by, change } = approval;
    const also = { ...decision, asker: keys.keepAlive(asked_by, systemClock()) };
    const made =
      change.action === 'create-key' ? begin(call, change, also) : edit(call, change, asked_by, also);
    await made.catch((error: unknown) => {
      throw refusedBy(error, 'asker')
        ? new Conflict(
            'The key that requested the change is disabled, deleted or expired; request the change again with another key',
            { cause: error },
          )
        : asRequested(error);
    });
  },
);

/** The caller has sent no field. Who asked has sent all, but has no answer to wait for. */
const asRequested = (error: unknown): unknown =>
  error instanceof InvalidRequest && error.metadata.path !== undefined
    ? new InvalidRequest(
        `The change is no longer valid; refuse it and request another. Reason: ${error.message}`,
        { cause: error },
      )
    : error;

async function begin(call: AuthenticatedCall, key: NewKey, also: NamedItems): Promise<void> {
  await beginKey(key, lives, { also });
  noteChange(call, AUDITED_OF_KEYS, undefined, describeKey(key.stored, key.account, systemClock()));
}

async function edit(
  call: AuthenticatedCall,
  { action, endpoint, request, seen }: EndpointChange,
  by: string,
  also: NamedItems,
): Promise<void> {
  const planned = plans[action](request, endpoint);
  await changeOffer(call, endpoint, planned, { store: offers, by, also, seen });
}
