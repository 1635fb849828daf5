import { ServiceError } from '../service.ts';

const MOST = 10;

interface Entry {
  readonly Id: string;
}

/**
 * Runs each entry separately, so that a failed one does not stop the others. @throws ServiceError if the batch is
 * invalid
 */
export function eachEntry<T extends Entry>(entries: readonly T[], run: (entry: T) => object) {
  assertBatch(entries);
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Failed.push({ Id: entry.Id, Code: error.code, Message: error.message, SenderFault: true });
    }
  }
  return { Successful, Failed };
}

function assertBatch(entries: readonly Entry[]): void {
  if (entries.length === 0) {
    throw new ServiceError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > MOST) {
    throw new ServiceError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MOST}. You have sent ${entries.length}.`,
    );
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new ServiceError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same Id.');
  }
}
