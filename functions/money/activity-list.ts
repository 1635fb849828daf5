import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { readableRows, type TellUnreadable } from '../aws/readable-rows.ts';
import { ACTIVITY_BY_DAY, type Activity, activitySchema } from './activity.ts';

const DAY_MILLISECONDS = 86_400_000;
const LONGEST_DAYS = 30;

/** The date in UTC, `2030-01-31`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The days that a report tells of when nobody names one, the latest first. */
export const latestDays = (now: Date): string[] =>
  Array.from({ length: LONGEST_DAYS }, (_, i) => dayOf(new Date(now.getTime() - i * DAY_MILLISECONDS)));

/** What has ended on these days. Eventually consistent: a job just ended may be missing for a moment. */
export async function listActivity(
  client: DynamoDBDocumentClient,
  table: string,
  days: readonly string[],
  tellUnreadable: TellUnreadable,
): Promise<Activity[]> {
  const ofDay = async (day: string) => {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: ACTIVITY_BY_DAY,
        KeyConditionExpression: '#day = :day',
        ExpressionAttributeNames: { '#day': 'day' },
        ExpressionAttributeValues: { ':day': day },
      },
    );
    const rows: Activity[] = [];
    for await (const { Items = [] } of pages)
      rows.push(...readableRows(activitySchema, Items, tellUnreadable));
    return rows;
  };
  return (await Promise.all(days.map(ofDay))).flat();
}
