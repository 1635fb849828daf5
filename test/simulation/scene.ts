import type { RouteId } from '../../functions/endpoints/definitions.ts';
import type { AwsWorld } from '../engines/index.ts';
import type { Exchange } from '../histories/exchange.ts';
import type { Answer, Asking } from './callers.ts';
import type { Order } from './clients.ts';
import type { Cloud } from './cloud.ts';
import type { DueRows } from './followed-tables.ts';
import type { Guardrails } from './guardrails.ts';
import type { Providers } from './providers.ts';
import type { Receivers } from './receivers.ts';
import type { ShownSecrets } from './shown-secrets.ts';
import type { StoredKeys } from './stored-keys.ts';
import type { Tenant } from './tenants.ts';
import type { VendorCalls } from './vendor-calls.ts';
import type { WatchedFiles } from './watched-files.ts';
import type { WatchedJobs } from './watched-jobs.ts';
import type { WatchedMoney } from './watched-money.ts';
import type { WatchedWorkspaces } from './watched-workspaces.ts';
import type { Weather } from './weather.ts';

/**
 * Reports a violation of one of these invariants:
 *
 * - I1: An accepted job exists, and it ends in time.
 * - I2: A provider does a completed job exactly once. It does no work without a job. What it has stopped at our wish is
 *   cancelled; what it has made is completed, or the job says why not.
 * - I3: A job only moves forward, and never changes after its end.
 * - I4: The money adds up and stays within the limits. Only completed jobs cost something, and cancelled ones what their
 *   provider charges. A closed key begins nothing more.
 * - I5: The end of a job is reported after it is true, with the same body each time, signed for its workspace alone,
 *   with every secret that was shown until its time. The report is delivered, refused by its receiver, or given up after
 *   all attempts.
 * - I6: A job has videos if it is completed, and only then. They are stored.
 * - I7: A caller never sees an earlier state again, nor a deleted job.
 * - I8: Every request ends with a status and a body that its route may have.
 * - I9: Requests with one idempotency key create one job.
 * - I10: No tenant sees another tenant's jobs.
 * - I11: A function only throws because of a fault.
 * - I12: No video is deleted by a request to cancel it.
 * - I13: A file that is seen has its bytes, and no bytes are without a row. A deleted or expired file is seen by nobody
 *   again, and its bytes go. A workspace's count of bytes is that of its files.
 * - I14: A workspace is deleted only while nobody can use it, and nothing begins in it afterwards. An hour later nothing is
 *   left of it but what reports show. Its count of live keys is right.
 * - I15: Work runs on the account that its job names, with a key that is stored there, for it, and not for too long.
 * - I16: A job keeps to the guardrail of its workspace.
 * - I17: A tenant whose provider and receiver are well waits 30 s longer than alone at most for a submitter, a poller, a
 *   copier or a deliverer, while those of a tenant with many jobs are slow.
 * - I18: A provider's callback has its provider asked, at most three times for a submit, and does nothing else. A forged
 *   one does nothing. An end is noticed within seconds of its callback, and within a minute where none comes; after ends
 *   without any, as soon as if none were expected.
 */
export type Violate = (invariant: string, what: string) => void;

/** One history: all that its actors work on, and those who watch them. */
export interface Scene {
  readonly world: AwsWorld;
  readonly cloud: Cloud;
  readonly weather: Weather;
  readonly providers: Providers;
  readonly calls: VendorCalls;
  readonly receivers: Receivers;
  readonly keys: StoredKeys;
  readonly secrets: ShownSecrets;
  readonly jobs: WatchedJobs;
  readonly money: WatchedMoney;
  readonly files: WatchedFiles;
  readonly workspaces: WatchedWorkspaces;
  readonly due: DueRows;
  readonly guardrails: Guardrails;
  /** All that there ever were. */
  readonly tenants: readonly Tenant[];
  /** The tenant in each place now. */
  readonly places: Tenant[];
  /** Those whose workspaces are to be deleted. */
  readonly leaving: Set<Tenant>;
  /** When there were no events yet. */
  readonly begun: Date;
  readonly orders: Order[];
  /** What tenants have asked and were answered. */
  readonly history: readonly Exchange[];
  /** Adds a tenant, unless a request fails. */
  readonly open: () => Promise<Tenant | undefined>;
  readonly tenantIn: (place: number) => Tenant;
  readonly ask: (tenant: Tenant, route: RouteId, asking: Omit<Asking, 'key'>) => Promise<Answer>;
  /** Asks as a provider does. */
  readonly call: (asking: Omit<Asking, 'key'>) => Promise<Answer>;
  /** Asks with a management key. */
  readonly manage: (route: RouteId, asking: Omit<Asking, 'key'>) => Promise<Answer>;
  readonly now: () => number;
  readonly violate: Violate;
}
