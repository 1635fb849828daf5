import { AuditTrail } from '../../audit/audit-trail.ts';
import { exportDays } from '../../audit/export-days.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { ObjectRequests } from '../../aws/object-upload/object-requests.ts';
import { ObjectUploads } from '../../aws/object-upload/object-upload.ts';
import { ownRole } from '../../aws/own-role.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';

const trail = new AuditTrail(dynamo, setting('auditTable'));
const uploads = new ObjectUploads(new ObjectRequests(ownRole()));
const ports = { trail, s3, uploads, bucket: setting('auditBucket'), now: systemClock, tellUnreadable, log };

export const handler = (): Promise<void> => exportDays(ports);
