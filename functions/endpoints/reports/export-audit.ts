import { AuditTrail } from '../../audit/audit-trail.ts';
import { exportDays } from '../../audit/export-days.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { tellUnreadable } from '../../telemetry/tell-unreadable.ts';

const trail = new AuditTrail(dynamo, setting('auditTable'));
const ports = { trail, s3, bucket: setting('auditBucket'), now: systemClock, tellUnreadable };

export const handler = (): Promise<void> => exportDays(ports);
