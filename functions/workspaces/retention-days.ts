import * as v from 'valibot';

/**
 * How long videos may be kept. The choices are fixed because the bucket has a lifecycle rule for each. The longest is
 * as long as a job can be asked for.
 */
export const RETENTION_DAYS = [1, 3, 7, 14, 30, 60, 90] as const;
export type RetentionDays = (typeof RETENTION_DAYS)[number];

const RULE = `must be one of ${RETENTION_DAYS.join(', ')} (days)`;
export const retentionDays = v.picklist(RETENTION_DAYS, RULE);
export const retentionDaysOrNull = v.nullable(v.picklist(RETENTION_DAYS, `${RULE}, or null`));

/** A function's environment variable. */
export const retentionDaysVariable = v.pipe(v.string(), v.transform(Number), retentionDays);
