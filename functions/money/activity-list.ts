import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { readableRows, type TellUnreadable } from '../aws/dynamo-reads.ts';
import { InvalidRequest } from '../http/errors.ts';
import { type ApiResponse, json } from '../http/response.ts';
import { ACTIVITY_BY_DAY } from '../tables.ts';
import { type Activity, activitySchema } from './activity.ts';

/** What a function has memory for. A `user` is any text, so callers decide how many rows there are. */
const MOST_ROWS = 50_000;
/** Lambda answers with 6 MB at most. In it the body is a JSON string, whose quotes count twice, beside the headers. */
const LARGEST_REPORT = 6_000_000;

/** @throws InvalidRequest if it does not fit an answer */
export function reportAnswer(data: unknown): ApiResponse<string> {
  const answer = json(200, { data });
  if (Buffer.byteLength(JSON.stringify(answer.body)) > LARGEST_REPORT)
    throw new InvalidRequest(
      'The response is too large. Request fewer days, or filter by workspace, key or user',
    );
  return answer;
}

/** The jobs that have ended, by day. Eventually consistent: a job that has just ended may be missing for a moment. */
export class ActivityList {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #tellUnreadable: TellUnreadable;
  readonly #most: number;

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    tellUnreadable: TellUnreadable,
    most = MOST_ROWS,
  ) {
    this.#client = client;
    this.#table = table;
    this.#tellUnreadable = tellUnreadable;
    this.#most = most;
  }

  /** @throws InvalidRequest for more rows than there is memory for */
  async of(days: readonly string[]): Promise<Activity[]> {
    const rows: Activity[] = [];
    await Promise.all(days.map((day) => this.#addDay(day, rows)));
    return rows;
  }

  async #addDay(day: string, rows: Activity[]): Promise<void> {
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
    for await (const { Items = [] } of pages) {
      rows.push(...readableRows(activitySchema, Items, this.#tellUnreadable));
      // Of all workspaces, because filters apply afterwards.
      if (rows.length > this.#most)
        throw new InvalidRequest(
          'The report covers too many rows; request fewer days, or do not group or filter by user',
        );
    }
  }
}
