import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { ownRole } from '../aws/own-role.ts';
import { DestinationStore } from '../broadcast/destination-store.ts';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { FileStore } from '../files/file-store.ts';
import { ObjectStore } from '../files/object-store.ts';
import { UploadStore } from '../files/parts/upload-store.ts';
import type { FileProviderName } from '../files/providers/file-provider.ts';
import { chooseDialect, type FileDialect } from '../files/shown-file.ts';
import { ContentStore } from '../generations/content-store.ts';
import type { AssignPorts } from '../guardrails/assign-keys.ts';
import type { CreateGuardrailPorts } from '../guardrails/change-guardrail.ts';
import { GuardrailStore } from '../guardrails/guardrail-store.ts';
import type { Headers, Principal } from '../http/call.ts';
import { wireNamesSchema } from '../http/compatibility.ts';
import { readKeyReport, readKeyWithLimits } from '../keys/find-key.ts';
import { DeadKeys, KeyLives, noGuardrails } from '../keys/key-lives.ts';
import { KeyStore } from '../keys/key-store.ts';
import { SessionStore } from '../keys/session-store.ts';
import { ListStore } from '../lists/list-store.ts';
import { AccountStore } from '../money/account-store.ts';
import { ProviderKeyStore } from '../provider-keys/provider-key-store.ts';
import { OverdueRows } from '../sweeping/sweep.ts';
import type { ChangeBudgetPorts } from '../workspaces/change-budget.ts';
import { RemovalStore } from '../workspaces/removal-store.ts';
import { WorkspaceStore } from '../workspaces/workspace-store.ts';

export const workspaceStore = () => new WorkspaceStore(dynamo, setting('workspacesTable'));

/** Deleted workspaces, as long as anything is left of them. */
export const removalStore = () => new RemovalStore(dynamo, setting('workspacesTable'));

export const listStore = () => new ListStore(dynamo, setting('listsTable'), randomUUID);

export const accountStore = () => new AccountStore(dynamo, setting('accountsTable'));

export const changeBudgetPorts = (): ChangeBudgetPorts => ({
  client: dynamo,
  accounts: accountStore(),
  workspaces: workspaceStore(),
  now: systemClock,
});

export const guardrailStore = () => new GuardrailStore(dynamo, setting('guardrailsTable'));

export const guardrailPorts = (): CreateGuardrailPorts => ({
  client: dynamo,
  guardrails: guardrailStore(),
  workspaces: workspaceStore(),
  accounts: accountStore(),
  now: systemClock,
});

/** Gives keys a guardrail, and takes it from them. */
export const assignPorts = (): AssignPorts => ({
  client: dynamo,
  guardrails: guardrailStore(),
  workspaces: workspaceStore(),
  lists: listStore(),
  keys: keyStore(),
  now: systemClock,
});

export const keyStore = () => new KeyStore(dynamo, setting('keysTable'));

export const sessionStore = () => new SessionStore(dynamo, setting('sessionsTable'));

/**
 * Reads a key and its usage.
 * @throws NotFound
 */
export function keyReports() {
  const stores = { keys: keyStore(), accounts: accountStore() };
  return (hash: string) => readKeyReport(dynamo, stores, hash);
}

/**
 * Reads the key of a caller, and what limits it.
 * @throws NotFound
 */
export function ownKeyReports() {
  const stores = { keys: keyStore(), accounts: accountStore(), workspaces: workspaceStore() };
  return ({ keyHash, workspaceId }: Pick<Principal, 'keyHash' | 'workspaceId'>) =>
    readKeyWithLimits(dynamo, stores, { hash: keyHash, workspaceId });
}

const livesStores = () => ({
  keys: keyStore(),
  accounts: accountStore(),
  workspaces: workspaceStore(),
  lists: listStore(),
});

/** Begins and changes keys. */
export const keyLives = () => new KeyLives({ ...livesStores(), guardrails: guardrailStore() });

/** Begins keys that name no guardrail. */
export const keyBeginnings = (): Pick<KeyLives, 'begin'> =>
  new KeyLives({ ...livesStores(), guardrails: noGuardrails });

/** Ends keys. */
export const keyEnds = (): Pick<KeyLives, 'end'> =>
  new KeyLives({ ...livesStores(), guardrails: noGuardrails });

/** The keys of deleted workspaces. */
export const deadKeys = () => new DeadKeys(keyStore(), listStore());

export const providerKeyStore = () => new ProviderKeyStore(dynamo, setting('providerKeysTable'));

export const fileStore = () => new FileStore(dynamo, setting('filesTable'), systemClock);

/** Uploads in parts, in the table of the files that they become. */
export const uploadStore = () => new UploadStore(dynamo, setting('filesTable'), fileStore(), systemClock);

export const expiredFileRows = () => new OverdueRows(dynamo, setting('filesTable'));

const quotaVariable = v.pipe(v.string(), v.transform(Number), v.safeInteger());
/** How many bytes a workspace may store. */
export const storageQuota = () => setting('storageQuotaBytes', quotaVariable);

/** The shape of an answer, in the names that this deployment uses. */
export function fileDialects(): (headers: Headers, provider: FileProviderName | undefined) => FileDialect {
  const names = setting('wireNames', wireNamesSchema);
  return (headers, provider) => chooseDialect(headers, names, provider);
}

/** Apart from the other stores, because not every function that uses files asks S3 for something. */
export const objectStore = () => new ObjectStore(ownRole(), setting('filesBucket'));

export const contentStore = () => new ContentStore(dynamo, setting('generationLogsTable'));

export const destinationStore = () => new DestinationStore(dynamo, setting('broadcastTable'));
