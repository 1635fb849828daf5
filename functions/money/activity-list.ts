import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { readableRows, type TellUnreadable } from '../aws/dynamo-reads.ts';
import { ACTIVITY_BY_DAY } from '../tables.ts';
import { type Activity, activitySchema } from './activity.ts';

/** The jobs that have ended, by day. Eventually consistent: a job that has just ended may be missing for a moment. */
export class ActivityList {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #tellUnreadable: TellUnreadable;

  constructor(client: DynamoDBDocumentClient, table: string, tellUnreadable: TellUnreadable) {
    this.#client = client;
    this.#table = table;
    this.#tellUnreadable = tellUnreadable;
  }

  async of(days: readonly string[]): Promise<Activity[]> {
    return (await Promise.all(days.map((day) => this.#ofDay(day)))).flat();
  }

  async #ofDay(day: string): Promise<Activity[]> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: ACTIVITY_BY_DAY,
        KeyConditionExpression: '#day = :day',
        ExpressionAttributeNames: { '#day': 'day' },
        ExpressionAttributeValues: { ':day': day },
      },
    );
    const rows: Activity[] = [];
    for await (const { Items = [] } of pages)
      rows.push(...readableRows(activitySchema, Items, this.#tellUnreadable));
    return rows;
  }
}
