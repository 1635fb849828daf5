import * as v from 'valibot';
import { retryOnConflict } from '../aws/retry.ts';
import { defined } from '../defined.ts';
import type { AllowedHosts } from '../egress/url-policy.ts';
import { Conflict, invalidField, NotFound } from '../http/errors.ts';
import { type Caller, mayActIn } from '../http/scope.ts';
import { checkedCallbackUrl } from '../webhooks/settings/callback-url.ts';
import { isId } from '../workspaces/find-workspace.ts';
import {
  type Config,
  type DestinationChange,
  MASK,
  MASK_RULE,
  type NewDestination,
  type StoredDestination,
  storedDestinationSchema,
  storedSettings,
  type TraceHeaders,
} from './destination.ts';
import type { DestinationStore } from './destination-store.ts';
import { shownConfig } from './shown-destination.ts';

export interface ChangePorts {
  readonly destinations: Pick<DestinationStore, 'find' | 'replace'>;
  readonly seal: (headers: TraceHeaders, workspaceId: string) => Promise<SealedHeaders>;
  readonly allowedHosts: AllowedHosts;
  readonly now: () => Date;
}

type SealedHeaders = Pick<StoredDestination, 'header_names' | 'ciphertext'>;
type Address = Pick<StoredDestination, 'url' | 'method'>;

const ATTEMPTS = 10;

/** A workspace has one destination, so its id is the workspace's. */
export async function findDestination(
  caller: Caller,
  id: string,
  destinations: Pick<DestinationStore, 'find'>,
): Promise<StoredDestination> {
  const workspaceId = id.toLowerCase();
  const found = isId(id) && mayActIn(caller, workspaceId) ? await destinations.find(workspaceId) : undefined;
  if (found === undefined) throw new NotFound('No such destination');
  return found;
}

/** @throws InvalidRequest, and Conflict where the workspace has a destination already */
export async function createDestination(
  { config, workspace_id: _, ...asked }: NewDestination,
  workspaceId: string,
  ports: ChangePorts,
): Promise<StoredDestination> {
  const address = addressOf(asked.type, config, ports.allowedHosts);
  const sealed = await ports.seal(ownValues(config.headers ?? {}), workspaceId);
  const change = { workspace_id: workspaceId, ...storedSettings(asked), ...address };
  const created = await replace(undefined, change, sealed, ports);
  if (created !== undefined) return created;
  throw new Conflict(
    `The workspace already has a destination; change it with PATCH /api/v1/observability/destinations/${workspaceId}`,
  );
}

interface ChangedDestination {
  readonly before: StoredDestination;
  readonly after: StoredDestination;
}

/** @throws NotFound, InvalidRequest */
export function changeDestination(
  caller: Caller,
  id: string,
  { config = {}, ...asked }: DestinationChange,
  ports: ChangePorts,
): Promise<ChangedDestination> {
  return insisting(id, async () => {
    const before = await findDestination(caller, id, ports.destinations);
    const { headers, ...given } = config;
    const { headers: _, ...shown } = shownConfig(before);
    const address = addressOf(before.type, { ...shown, ...given }, ports.allowedHosts);
    const isKept = headers === undefined || areShown(before, headers);
    // Whoever may change the address must not learn the headers by it.
    if (isKept && before.header_names.length > 0 && address.url !== before.url) {
      throw invalidField(
        'config.headers',
        'must be sent with their real values when the URL changes; send {} for no headers',
      );
    }
    const sealed = isKept ? sealedOf(before) : await ports.seal(ownValues(headers), before.workspace_id);
    const after = await replace(before, { ...storedSettings(asked), ...address }, sealed, ports);
    return after && { before, after };
  });
}

/** Replaces the address and the headers, and leaves the other settings as they are. */
export function setAddress(
  workspaceId: string,
  { url, headers }: { readonly url: string; readonly headers: TraceHeaders },
  ports: ChangePorts,
): Promise<StoredDestination> {
  const address = { workspace_id: workspaceId, url: checkedCallbackUrl(url, 'url', ports.allowedHosts) };
  return insisting(workspaceId, async () => {
    const before = await ports.destinations.find(workspaceId);
    return replace(before, address, await ports.seal(headers, workspaceId), ports);
  });
}

const insisting = <Outcome>(id: string, attempt: () => Promise<Outcome | undefined>): Promise<Outcome> =>
  retryOnConflict(
    ATTEMPTS,
    attempt,
    () => new Error(`destination ${id} changed ${ATTEMPTS} times during one update`),
  );

/** Undefined where the destination is no longer as it was before. */
async function replace(
  before: StoredDestination | undefined,
  change: Partial<StoredDestination>,
  sealed: SealedHeaders,
  { destinations, now }: ChangePorts,
): Promise<StoredDestination | undefined> {
  const { ciphertext: _, ...kept } = before ?? {};
  const earliest = before === undefined ? 0 : Date.parse(before.updated_at) + 1;
  const updated_at = new Date(Math.max(now().getTime(), earliest)).toISOString();
  const created_at = before?.updated_at ?? updated_at;
  const row = { created_at, ...kept, ...change, ...sealed, updated_at };
  const after = v.parse(storedDestinationSchema, row);
  return (await destinations.replace(before, after)) ? after : undefined;
}

/** The fields in which the kinds write their address. */
function addressOf(
  type: StoredDestination['type'],
  { endpoint, url, method }: Config,
  allowed: AllowedHosts,
): Address {
  const [field, given, others] =
    type === 'webhook'
      ? (['url', url, { endpoint }] as const)
      : (['endpoint', endpoint, { url, method }] as const);
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) throw invalidField(`config.${name}`, `must be omitted if type is ${type}`);
  }
  if (given === undefined) throw invalidField(`config.${field}`, `is required if type is ${type}`);
  return { url: checkedCallbackUrl(given, `config.${field}`, allowed), method: method ?? 'POST' };
}

/** Whether these are the headers as answers show them: a client sends back what it has read. */
const areShown = ({ header_names }: StoredDestination, headers: TraceHeaders): boolean =>
  Object.keys(headers).length === header_names.length && header_names.every((name) => headers[name] === MASK);

/** @throws InvalidRequest for a value that is only shown */
function ownValues(headers: TraceHeaders): TraceHeaders {
  const [masked] = Object.keys(headers).filter((name) => headers[name] === MASK);
  if (masked !== undefined) throw invalidField(['config', 'headers', masked], MASK_RULE);
  return headers;
}

const sealedOf = ({ header_names, ciphertext }: StoredDestination): SealedHeaders => ({
  header_names,
  ...defined({ ciphertext }),
});
