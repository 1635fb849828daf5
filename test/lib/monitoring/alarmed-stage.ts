import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { loadSharedConfigFiles } from '@smithy/core/config';
import type { RouteId } from '../../../functions/endpoints/definitions.ts';
import { METRICS_SERVICE } from '../../../functions/telemetry/own-metrics.ts';
import { manners } from '../../../functions/videos/providers/manners.ts';
import type { VideoProvider } from '../../../functions/videos/providers/provider.ts';
import type { AlarmRule, Condition } from '../../../lib/monitoring/alarm-rule.ts';
import { alarmRules } from '../../../lib/monitoring/alarm-rules.ts';
import type { Plant } from '../../../lib/monitoring/measures.ts';
import { samplesOfLine } from '../../../local/dashboard/samples.ts';
import { type Sample, statisticOf } from '../../../local/dashboard/series.ts';
import { AwsWorld, type Call, type FaultPlan, noFaults } from '../../engines/index.ts';
import { CONSUMERS, type FunctionName, type InstanceScript, SWEEPERS } from '../../simulation/bundle.ts';
import { Gateway } from '../../simulation/callers.ts';
import { Cloud } from '../../simulation/cloud.ts';
import { startConsumers } from '../../simulation/consumers.ts';
import type { AdapterKit } from '../../simulation/plain-adapter.ts';
import { openStage } from '../../simulation/tenants.ts';
import { VIDEO } from '../../simulation/video.ts';

const MINUTE = 60_000;

/** A vendor as one machine reaches it. */
export type Vendor = (kit: AdapterKit) => Partial<VideoProvider>;

type Asking = Parameters<Gateway['ask']>[1];
type Opened = Awaited<ReturnType<typeof openStage>>;

export const QUEUES = {
  submits: 'Videos-Submits',
  jobs: 'Videos-Queue',
  copies: 'Videos-Copies',
  events: 'Webhooks-Queue',
};
export const TABLES = { jobs: 'Videos-Jobs', accounts: 'Accounts', keys: 'Keys', events: 'Webhooks-Events' };
/** The alarms about what only shows outside: a load balancer counts it, or the canary does. */
export const SEEN_FROM_OUTSIDE = [
  'UploadServerDown',
  'LoadBalancerErrors',
  'UploadServerErrors',
  'CanaryFails',
  'CanarySilent',
];
const HOURLY: readonly FunctionName[] = ['reconcile-rows'];

const BALANCED = { loadBalancer: 'balancer', targetGroup: 'servers' };

/** Servers, and requests that got a 5xx from one or reached none. */
interface Balance {
  readonly healthy: number;
  readonly failed: number;
  readonly unreached: number;
}

const byItself = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

/** How often Lambda calls a throttled function before it lets others have the message: for five minutes. */
const THROTTLED = { tries: 30, pause: 10_000 };

/** Lambda, which counts its calls. */
class CountingCloud extends Cloud {
  count: (name: string, dimensions: Sample['dimensions'], value: number) => void = () => undefined;
  /** The worker that may not run, as with a reserved concurrency of 0. */
  throttled: FunctionName | undefined;

  override async invoke(name: FunctionName, event?: unknown): Promise<unknown> {
    const of = { FunctionName: name };
    for (let tries = 1; this.throttled === name; tries++) {
      this.count('AWS/Lambda Throttles', of, 1);
      if (tries === THROTTLED.tries) throw new Error(`${name} is throttled`);
      await this.world.clock.wait(THROTTLED.pause);
    }
    this.count('AWS/Lambda Invocations', of, 1);
    try {
      return await super.invoke(name, event);
    } catch (error) {
      this.count('AWS/Lambda Errors', of, 1);
      throw error;
    }
  }
}

/** A stage on the engines, with the alarms of its template: what CloudWatch would count is counted, and judged by it. */
export class AlarmedStage {
  readonly world: AwsWorld;
  readonly cloud: CountingCloud;
  /** The ids of the rules whose alarm has been on since the last look. */
  readonly fired = new Set<string>();
  faults: FaultPlan = noFaults;
  vendor: Vendor = () => ({});
  /** What the load balancer of large uploads sees in a minute. */
  balance: Balance = { healthy: 1, failed: 0, unreached: 0 };
  /** How each run of the canary ends; undefined if it does not run. */
  canary: 'passed' | 'failed' | undefined = 'passed';
  /** The sweepers that the clock calls. */
  readonly swept = new Set<FunctionName>(SWEEPERS);
  #tenant: Opened['tenants'][number] | undefined;
  readonly rules: readonly AlarmRule[];
  readonly #gateway: Gateway;
  readonly #samples = new Map<string, Sample[]>();
  readonly #logged = new Set<string>();
  #minutes = 0;

  private constructor(script: InstanceScript) {
    this.world = new AwsWorld({ requestTimeout: 2_000, keepsCalls: false, countsUnits: false });
    this.world.faults = (call) => this.#faultOf(call);
    const { clock } = this.world;
    this.cloud = new CountingCloud(this.world, {
      version: () => script,
      skew: () => () => 0,
      keeps: () => true,
      print: (text) => {
        const time = clock.now().getTime();
        for (const line of text.split('\n'))
          samplesOfLine({ logGroup: '', time, text: line }).forEach(this.#add);
      },
      onFailure: () => undefined,
      outside: () => ({
        provider: (name, kit) => ({ ...working(name), ...this.vendor(kit) }),
        fetch: async (input) => new Response(String(input).includes('/result') ? VIDEO : null),
      }),
    });
    this.cloud.count = this.#count;
    this.#gateway = new Gateway(this.cloud, { isBad: true }, () => undefined);
    this.rules = alarmRules(this.#plant());
  }

  static async open(script: InstanceScript): Promise<AlarmedStage> {
    const stage = new AlarmedStage(script);
    // The SDK reads these files once, in real time.
    await loadSharedConfigFiles();
    const opened = await openStage(stage.cloud, stage.#gateway, stage.world, () => 0.9);
    [stage.#tenant] = opened.tenants;
    startConsumers(stage.cloud);
    return stage;
  }

  /** Lets time pass, with these requests in each minute. */
  async run(minutes: number, requests: () => Promise<unknown> = async () => undefined): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      const asked = requests();
      for (const name of this.swept) {
        if (HOURLY.includes(name) && this.#minutes % 60 !== 0) continue;
        void this.cloud.invoke(name).catch(() => undefined);
      }
      this.#minutes++;
      void this.#followEvents().catch(() => undefined);
      await this.world.clock.wait(MINUTE);
      await asked;
      this.#measureQueues();
      this.#measureBalancer(this.balance);
      if (this.#minutes % 5 === 0) this.#countCanary();
      this.#judge();
    }
  }

  /** The workspace of the callers. */
  get workspace(): string {
    return this.#tenant?.id ?? '';
  }

  async ask(route: RouteId & FunctionName, asking: Omit<Asking, 'key'> = {}): Promise<unknown> {
    const { status, body } = await this.#gateway.ask(route, {
      key: this.#tenant?.key ?? '',
      ...asking,
    });
    this.#count('AWS/ApiGateway 5XXError', { ApiName: 'api' }, status >= 500 ? 1 : 0);
    return body;
  }

  submit = (): Promise<unknown> =>
    this.ask('submit-video', {
      body: { model: 'sandbox/clip-1', prompt: 'A drill', duration: 1, size: '640x360' },
    });

  #plant(): Plant {
    const { METRICS_NAMESPACE = '' } = this.cloud.stage.environment('submit-video');
    const queues = Object.entries(QUEUES).map(([title, path]) => [
      title,
      { name: path, deadLetters: `${path}DeadLetters`, hiddenSeconds: title === 'copies' ? 5_400 : 360 },
    ]);
    return {
      stage: METRICS_NAMESPACE.replace('Genway/', ''),
      api: 'api',
      queues: Object.fromEntries(queues),
      consumers: byItself(CONSUMERS),
      sweepers: byItself(SWEEPERS),
      hourly: HOURLY,
      hasCanary: true,
      uploader: 'upload-file',
      uploadServer: { ...BALANCED, cluster: 'uploads', service: 'uploads' },
      tables: TABLES,
      providers: ['sandbox'],
    };
  }

  #count = (metric: string, dimensions: Sample['dimensions'], value: number): void => {
    const [namespace = '', name = ''] = metric.split(' ');
    this.#add({ namespace, name, dimensions, at: this.world.clock.now().getTime(), value });
  };

  readonly #add = (sample: Sample): void => {
    const identity = identityOf(sample);
    const known = this.#samples.get(identity);
    if (known === undefined) this.#samples.set(identity, [sample]);
    else known.push(sample);
  };

  #faultOf(call: Call) {
    const fault = this.faults(call);
    if (fault === 'throttled' && call.service === 'dynamodb') {
      const named = JSON.stringify(call.input);
      for (const TableName of Object.values(TABLES)) {
        if (named.includes(`"${TableName}"`))
          this.#count('AWS/DynamoDB WriteThrottleEvents', { TableName }, 1);
      }
    }
    return fault;
  }

  /** A table's stream: Lambda gets what is new until it has taken it. */
  async #followEvents(): Promise<void> {
    const { dynamo } = this.world.startProcess('stream');
    const { Items = [] } = await dynamo.send(
      new ScanCommand({ TableName: this.cloud.stage.name(TABLES.events) }),
    );
    const rows = Items.filter(({ id, job_id }) => job_id && !this.#logged.has(JSON.stringify(id)));
    if (rows.length === 0) return;
    const Records = rows.map((NewImage) => ({ dynamodb: { NewImage } }));
    await this.cloud.invoke('log-generations', { Records });
    for (const { id } of rows) this.#logged.add(JSON.stringify(id));
  }

  #measureQueues(): void {
    const now = this.world.clock.now().getTime();
    for (const path of Object.values(QUEUES)) {
      const { oldest } = this.world.sqs.measured(this.cloud.stage.name(path));
      const seconds = oldest === undefined ? 0 : (now - oldest.getTime()) / 1_000;
      this.#count('AWS/SQS ApproximateAgeOfOldestMessage', { QueueName: path }, seconds);
      const QueueName = `${path}DeadLetters`;
      const { visible } = this.world.sqs.measured(this.cloud.stage.name(QueueName));
      this.#count('AWS/SQS ApproximateNumberOfMessagesVisible', { QueueName }, visible);
    }
  }

  #measureBalancer({ healthy, failed, unreached }: Balance): void {
    const { targetGroup: TargetGroup, loadBalancer: LoadBalancer } = BALANCED;
    this.#count('AWS/ApplicationELB HealthyHostCount', { LoadBalancer, TargetGroup }, healthy);
    this.#count('AWS/ApplicationELB HTTPCode_Target_5XX_Count', { LoadBalancer, TargetGroup }, failed);
    this.#count('AWS/ApplicationELB HTTPCode_ELB_5XX_Count', { LoadBalancer }, unreached);
  }

  #countCanary(): void {
    if (this.canary === undefined) return;
    const { METRICS_NAMESPACE = '' } = this.cloud.stage.environment('submit-video');
    this.#count(`${METRICS_NAMESPACE} CanaryRuns`, { service: METRICS_SERVICE, outcome: this.canary }, 1);
  }

  #judge(): void {
    for (const { id, conditions } of this.rules) {
      if (conditions.every((condition) => this.#isBad(condition))) this.fired.add(id);
    }
  }

  /** As CloudWatch judges an alarm: by the latest periods, some of which may have no value. */
  #isBad({ measure, over, under, minutes, periods: [count, of] = [1, 1], missing }: Condition): boolean {
    const now = this.world.clock.now().getTime();
    const samples = this.#samples.get(identityOf(measure)) ?? [];
    const begun = samples.findLastIndex(({ at }) => at < now - of * minutes * MINUTE) + 1;
    const periods = Map.groupBy(samples.slice(begun), ({ at }) =>
      Math.floor((now - 1 - at) / (minutes * MINUTE)),
    );
    const bad = Array.from({ length: of }, (_, period) => {
      const values = periods.get(period)?.map(({ value }) => value);
      if (values === undefined) return missing === 'breaching';
      const value = statisticOf(measure.statistic, values);
      return over === undefined ? value < (under ?? 0) : value > over;
    });
    return bad.filter(Boolean).length >= count;
  }
}

const identityOf = ({
  namespace,
  name,
  dimensions,
}: Pick<Sample, 'namespace' | 'name' | 'dimensions'>): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);

/** A provider that makes everything at once. */
const working = (name: string): VideoProvider => ({
  name,
  manners: manners.sandbox,
  submit: async ({ id }) => ({ ref: { id }, upstreamId: `up-${id}` }),
  poll: async () => ({
    state: 'succeeded',
    outputs: [{ kind: 'url', url: 'https://vendor.com/result.mp4' }],
  }),
});
