import * as v from 'valibot';
import { signedFetch } from '../../functions/aws/signatures.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { readAlarm, type WatchedAlarm } from './alarm.ts';
import { type Definition, readDefinition } from './definition.ts';

/** The names that `lib/monitoring/` gives the dashboards. */
const PAGES = ['callers', 'machinery'] as const;

const dashboardSchema = v.object({ DashboardBody: v.string() });
const alarmsSchema = v.object({
  MetricAlarms: v.array(v.looseObject({ AlarmArn: v.string() })),
  NextToken: v.optional(v.string()),
});

/**
 * A client of the emulator's CloudWatch in JSON, without the SDK. The SDK's client fails there: in JSON the emulator
 * writes times as strings, and its XML lacks half of an alarm.
 */
export class EmulatedCloudWatch {
  readonly #endpoint: string;
  readonly #fetch: typeof fetch;

  constructor({ endpoint, region, credentials }: AwsAccess, now: () => Date, signal: AbortSignal) {
    this.#endpoint = endpoint;
    const send: typeof fetch = (input, init) => fetch(input, { ...init, signal });
    this.#fetch = signedFetch(send, 'monitoring', { region, credentials, now });
  }

  /** The dashboards of a stack, as they were deployed. */
  definitions(stack: string): Promise<Definition[]> {
    return Promise.all(
      PAGES.map(async (page) => {
        const DashboardName = `${stack}-${page}`;
        const { DashboardBody } = await this.#ask('GetDashboard', { DashboardName }, dashboardSchema);
        return readDefinition(DashboardName, DashboardBody);
      }),
    );
  }

  /** @param arns of the stage's alarms, of metric alarms and other kinds */
  async alarms(arns: readonly string[]): Promise<WatchedAlarm[]> {
    const alarms: { readonly AlarmArn: string }[] = [];
    let NextToken: string | undefined;
    do {
      const page = await this.#ask('DescribeAlarms', { NextToken }, alarmsSchema);
      alarms.push(...page.MetricAlarms);
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return alarms.filter(({ AlarmArn }) => arns.includes(AlarmArn)).map(readAlarm);
  }

  async #ask<const Schema extends v.GenericSchema>(operation: string, input: object, schema: Schema) {
    const response = await this.#fetch(this.#endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `GraniteServiceVersion20100801.${operation}`,
      },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${operation} failed with status ${response.status}: ${text}`);
    return v.parse(schema, JSON.parse(text));
  }
}
