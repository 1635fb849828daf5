import { ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { TellUnreadable } from '../aws/dynamo-reads.ts';
import type { AuditEntry } from './audit-entry.ts';
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
  readonly bucket: string;
  readonly now: () => Date;
  readonly tellUnreadable: TellUnreadable;
}

/**
 * Copies the last days of the audit trail that are not copied yet: for each an object with an entry a line, oldest first,
 * and none where nothing was asked for.
 */
export async function exportDays(ports: ExportPorts): Promise<void> {
  const latest = ports.now().getTime() - COMPLETE_AFTER - DAY;
  for (let back = DAYS_TRIED - 1; back >= 0; back--) {
    const day = new Date(latest - back * DAY).toISOString().slice(0, 10);
    if (!(await isThere(`${day}.jsonl`, ports))) await exportDay(day, ports);
  }
}

async function isThere(key: string, { s3, bucket }: ExportPorts): Promise<boolean> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: key }));
  return Contents.length > 0;
}

async function exportDay(day: string, { trail, s3, bucket, tellUnreadable }: ExportPorts): Promise<void> {
  const since = new Date(day);
  const next = new Date(since.getTime() + DAY).toISOString();
  const entries: AuditEntry[] = [];
  for (let before: string | null = next; before !== null; ) {
    const page: Awaited<ReturnType<AuditTrail['list']>> = await trail.list(
      { since, before, limit: PAGE },
      tellUnreadable,
    );
    entries.push(...page.entries);
    before = page.cursor;
  }
  const lines = entries.toReversed().map((entry) => `${JSON.stringify(entry)}\n`);
  await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: `${day}.jsonl`,
      Body: Buffer.from(lines.join('')),
      ContentType: 'application/jsonl',
      // S3 demands one for what it locks.
      ChecksumAlgorithm: 'CRC32',
    }),
  );
}
