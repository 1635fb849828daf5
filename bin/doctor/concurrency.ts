import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { StageConfig } from '../../lib/stage/config.ts';
import { type Finding, fault, note, ok } from './finding.ts';

/** Lambda keeps this much of an account's concurrency for functions without a reservation. */
const UNRESERVABLE = 100;
/** Doctor adds a note if requests get less than this beside a stage's workers. */
const FOR_REQUESTS = 100;

/** How many functions may run at once in an account and region. */
export async function accountConcurrency(region: string): Promise<number> {
  const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand({}));
  return AccountLimit?.ConcurrentExecutions ?? 0;
}

type Settings = Pick<
  StageConfig,
  'reservedConcurrency' | 'pollerConcurrency' | 'copierConcurrency' | 'delivererConcurrency'
>;

/** Checks whether the account allows as much concurrency as the stage's settings need. */
export function judgeConcurrency(limit: number, region: string, settings: Settings): Finding {
  const { poller = 0, copier = 0, deliverer = 0 } = settings.reservedConcurrency;
  const reserved = poller + copier + deliverer;
  const more = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region ${region}`;
  if (reserved > Math.max(0, limit - UNRESERVABLE)) {
    const most = `${limit} functions may run at once, and Lambda keeps ${UNRESERVABLE} of them unreserved`;
    return fault(
      'concurrency',
      `reservedConcurrency is ${reserved} in total, but ${most}. Ask AWS for more: ${more}`,
    );
  }
  const workers = settings.pollerConcurrency + settings.copierConcurrency + settings.delivererConcurrency;
  if (limit >= workers + FOR_REQUESTS) return ok('concurrency', `${limit} functions may run at once`);
  return note(
    'concurrency',
    `${limit} functions may run at once, and workers alone may take ${workers}: requests will be throttled under load. Ask AWS for more: ${more}`,
  );
}
