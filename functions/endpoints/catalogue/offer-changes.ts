import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { noteChange } from '../../audit/changed-fields.ts';
import type { NamedItems } from '../../aws/dynamo-writes.ts';
import { systemClock } from '../../clock.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { Conflict, NotFound } from '../../http/errors.ts';
import { validate } from '../../http/validation.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import type { Offer } from '../../videos/catalogue/offer.ts';
import type { ChangeNote, OfferStore } from '../../videos/catalogue/offer-store.ts';
import { newOfferSchema, offerChangeSchema, shownOfferSchema } from '../../videos/catalogue/offer-view.ts';
import {
  type OfferChanges,
  pause,
  put,
  remove,
  withChanges,
} from '../../videos/catalogue/stage-catalogue.ts';
import { checkOffer } from '../../videos/providers/dialects.ts';
import type { ProvidersSettings } from '../../videos/providers/provider-settings.ts';

/** What of a row the audit trail keeps: all that is not written for people. */
const AUDITED = v.keyof(v.omit(shownOfferSchema, ['id', 'name', 'description', 'changed'])).options;

interface OfferEdit {
  readonly action: ChangeNote['action'];
  readonly edit: (changes: OfferChanges) => OfferChanges;
}

/**
 * What a valid request means for an offer, whether it is carried out at once or after an approval. It is validated here
 * again, because a version with other rules may have stored it; so the schemas must accept their own output.
 */
export type OfferPlan = (request: unknown, id: string) => OfferEdit;

export const planPut =
  (providers: ProvidersSettings): OfferPlan =>
  (request, id) => {
    const { paused, ...row } = validate(newOfferSchema, request);
    const offer = checkOffer({ ...row, id }, providers);
    return { action: 'put', edit: (changes) => put(changes, offer, paused) };
  };

export const planUpdate: OfferPlan = (request, id) => {
  const { paused, price_per_second } = validate(offerChangeSchema, request);
  const edit = (changes: OfferChanges): OfferChanges => {
    const row = findRow(id, changes);
    const isPaused = paused ?? changes.paused.includes(id);
    if (price_per_second === undefined) return pause(changes, id, isPaused);
    return put(changes, { ...row, price_per_second }, isPaused);
  };
  const action = price_per_second !== undefined ? 'put' : paused === true ? 'pause' : 'resume';
  return { action, edit };
};

/** Jobs that its provider has taken go on; the others go elsewhere or fail. */
export const planDelete: OfferPlan = (_request, id) => ({
  action: 'remove',
  edit: (changes) => {
    findRow(id, changes);
    return remove(changes, id);
  },
});

interface ChangePorts {
  readonly store: Pick<OfferStore, 'change'>;
  /** The hash of the key that asked. */
  readonly by: string;
  /** What is written in the same transaction. */
  readonly also?: NamedItems;
  /** The digest of the offer that the change was asked for. @default any */
  readonly seen?: string;
}

/**
 * Changes an offer, and notes it with who asked.
 * @throws Conflict if it is no longer as it was seen
 */
export async function changeOffer(
  call: Pick<AuthenticatedCall, 'changes' | 'log'>,
  id: string,
  { action, edit }: OfferEdit,
  { store, by, also, seen }: ChangePorts,
): Promise<OfferChanges> {
  let before: ReturnType<typeof audited>;
  const noting = (changes: OfferChanges): OfferChanges => {
    before = audited(id, changes);
    if (seen !== undefined && seen !== seenOffer(id, changes)) {
      throw new Conflict(
        'The endpoint has changed since this change was requested; request the change again',
      );
    }
    return edit(changes);
  };
  const changes = await store.change(noting, { action, offer: id, by }, systemClock(), also);
  noteChange(call, AUDITED, before, audited(id, changes));
  call.log.info('endpoint changed', { endpoint: id, action });
  return changes;
}

const offerOf = (id: string, changes: OfferChanges) =>
  withChanges(bundledCatalogue, changes).offers.find((each) => each.id === id);

/** The offer as the audit trail keeps it; undefined where there is none. */
function audited(id: string, changes: OfferChanges) {
  const offer = offerOf(id, changes);
  return offer && { ...offer, paused: changes.paused.includes(id) };
}

/** A digest of all of an offer, or of there being none. */
export const seenOffer = (id: string, changes: OfferChanges): string =>
  createHash('sha256')
    .update(JSON.stringify(audited(id, changes) ?? null))
    .digest('hex');

/** @throws NotFound */
export function findRow(id: string, changes: OfferChanges): Offer {
  const offer = offerOf(id, changes);
  if (offer === undefined)
    throw new NotFound(`There is no endpoint ${id}; GET /api/v1/endpoints lists all endpoints`);
  return offer;
}
