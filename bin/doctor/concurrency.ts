import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { StageConfig } from '../../lib/stage-config.ts';
import { type Finding, fault, note, ok } from './finding.ts';

/** Lambda leaves so many of an account's to functions that have none reserved. */
const UNRESERVABLE = 100;
/** What requests get beside the workers of a stage, before it is worth a note. */
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

/** Whether the account lets as many functions run at once as the stage's settings speak of. */
export function judgeConcurrency(limit: number, region: string, settings: Settings): Finding {
  const { poller = 0, copier = 0, deliverer = 0 } = settings.reservedConcurrency;
  const reserved = poller + copier + deliverer;
  const more = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region ${region}`;
  if (reserved > Math.max(0, limit - UNRESERVABLE)) {
    const most = `${limit} functions may run at once, and ${UNRESERVABLE} of them cannot be reserved`;
    return fault(
      'concurrency',
      `reservedConcurrency is ${reserved} in all, but ${most}. Ask for more: ${more}`,
    );
  }
  const workers = settings.pollerConcurrency + settings.copierConcurrency + settings.delivererConcurrency;
  if (limit >= workers + FOR_REQUESTS) return ok('concurrency', `${limit} functions may run at once`);
  return note(
    'concurrency',
    `${limit} functions may run at once, and workers alone may take ${workers}: requests are throttled under load. Ask for more: ${more}`,
  );
}
