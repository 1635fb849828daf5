import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { TellUnreadable } from '../aws/dynamo-reads.ts';
import type { ObjectUploads } from '../aws/object-upload/object-upload.ts';
import { pour } from '../byte-streams.ts';
import type { Log } from '../telemetry/log.ts';
import type { AuditTrail } from './audit-trail.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The outcome of the longest change, an upload, is there long before. */
const COMPLETE_AFTER = HOUR;
/** For how long runs may fail before a day is left out. */
const DAYS_TRIED = 7;
const PAGE = 100;

export interface ExportPorts {
  readonly trail: Pick<AuditTrail, 'list'>;
  readonly s3: S3Client;
  readonly uploads: ObjectUploads;
  readonly bucket: string;
  readonly now: () => Date;
  readonly tellUnreadable: TellUnreadable;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Copies the last days of the audit trail that are not copied yet: for each an object with an entry a line, oldest first,
 * and none where nothing was asked for. One that takes too long comes last the next day, so that it holds up no other.
 * @throws Error when a day was not copied; the log has why
 */
export async function exportDays(ports: ExportPorts): Promise<void> {
  const latest = ports.now().getTime() - COMPLETE_AFTER - DAY;
  const failed: string[] = [];
  for (let back = 0; back < DAYS_TRIED; back++) {
    const day = new Date(latest - back * DAY).toISOString().slice(0, 10);
    await exportDay(day, ports).catch((error: unknown) => {
      ports.log.error('day not copied', { day, error });
      failed.push(day);
    });
  }
  if (failed.length > 0) throw new Error(`The audit trail was not copied for ${failed.join(', ')}`);
}

/** Nothing is there before all of it is. */
async function exportDay(day: string, ports: ExportPorts): Promise<void> {
  const { s3, uploads, bucket } = ports;
  const key = `${day}.jsonl`;
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: key }));
  if (Contents.length > 0) return;
  await pour(linesOf(day, ports), uploads.begin({ bucket, key, contentType: 'application/jsonl' }));
}

async function* linesOf(day: string, { trail, tellUnreadable }: ExportPorts): AsyncGenerator<Buffer> {
  const since = new Date(day);
  const range = { since, until: new Date(since.getTime() + DAY), oldestFirst: true, limit: PAGE };
  let cursor: string | undefined;
  do {
    const page = await trail.list({ ...range, cursor }, tellUnreadable);
    yield Buffer.from(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}
