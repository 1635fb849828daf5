import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { VirtualClock } from './clock.ts';
import { DynamoDbEngine, type DynamoDbSettings } from './dynamodb/dynamodb-engine.ts';
import { type Call, type FaultPlan, Journal, noFaults } from './faults.ts';
import { KmsEngine } from './kms/kms-engine.ts';
import { EngineHandler, type Network, Process, VirtualRetries } from './network.ts';
import { S3Engine } from './s3/s3-engine.ts';
import { exchangeThrough } from './s3/s3-request.ts';
import { seededRandom } from './seeded-random.ts';
import type { Service } from './service.ts';
import { SqsEngine } from './sqs/sqs-engine.ts';

export interface AwsWorldSettings extends Omit<DynamoDbSettings, 'clock'> {
  /** @default 1 */
  readonly seed?: number;
  readonly start?: Date;
  /** @default none; can be changed at any time */
  readonly faults?: FaultPlan;
  /** The time of a call and its answer together, in milliseconds. @default between 5 and 15, by the seed */
  readonly latency?: (call: Call) => number;
  /** How long a caller waits for an answer, in milliseconds. @default for ever, like the SDK */
  readonly requestTimeout?: number;
  /** How many attempts the SDK makes. @default 3, like the functions' clients */
  readonly maxAttempts?: number;
  /** Whether the journal stores every call. @default true */
  readonly keepsCalls?: boolean;
}

/**
 * The AWS services that Genway uses, in memory, with one clock and one plan of faults:
 *
 *   const world = new AwsWorld({ seed: 7 });
 *   const stage = new DeployedStage(world);
 *   const { dynamo } = world.startProcess('poller');
 *   world.faults = faultAt({ operation: 'UpdateItem', nth: 3 }, 'answer lost');
 *   await new JobStore(dynamo, stage.name('Videos-Jobs'), tell).find('vid_1');
 *
 * The same seed gives the same run if the code under test uses this clock and these random numbers.
 */
export class AwsWorld implements Network {
  readonly clock: VirtualClock;
  /** Random numbers from this world's seed. */
  readonly random: () => number;
  readonly journal: Journal;
  readonly latency: (call: Call) => number;
  readonly requestTimeout: number | undefined;
  readonly dynamodb: DynamoDbEngine;
  readonly s3: S3Engine;
  readonly sqs: SqsEngine;
  readonly kms: KmsEngine;
  faults: FaultPlan;
  readonly #maxAttempts: number;

  constructor(settings: AwsWorldSettings = {}) {
    this.clock = new VirtualClock(settings.start);
    this.journal = new Journal(settings.keepsCalls);
    const seed = settings.seed ?? 1;
    this.random = seededRandom(seed);
    this.faults = settings.faults ?? noFaults;
    this.latency = settings.latency ?? (() => 5 + 10 * this.random());
    this.requestTimeout = settings.requestTimeout;
    this.#maxAttempts = settings.maxAttempts ?? 3;
    this.dynamodb = new DynamoDbEngine({ ...settings, clock: this.clock });
    this.s3 = new S3Engine(this.clock.now);
    this.sqs = new SqsEngine(this.clock, this.random);
    this.kms = new KmsEngine(seed);
  }

  /** Clients for a new process, which a fault can crash. Each is made when it is first used. */
  startProcess(name = 'main') {
    const process = new Process(name);
    const settings = (service: Service) => this.#settings(service, process);
    const dynamodb = once(() => lean(new DynamoDBClient(settings(this.dynamodb.service))));
    const marshallOptions = { removeUndefinedValues: true };
    const dynamo = once(() => DynamoDBDocumentClient.from(dynamodb(), { marshallOptions }));
    const sqs = once(() => lean(new SQSClient(settings(this.sqs.service))));
    const kms = once(() => lean(new KMSClient(settings(this.kms.service))));
    // The engine does not support chunks with trailing checksums, so a body of unknown length is sent as it is.
    const own = { forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' } as const;
    const s3 = once(() => new S3Client({ ...settings(this.s3), ...own }));
    return {
      process,
      exchange: exchangeThrough(new EngineHandler(this.s3, this, process)),
      get dynamodb() {
        return dynamodb();
      },
      get dynamo() {
        return dynamo();
      },
      get sqs() {
        return sqs();
      },
      get kms() {
        return kms();
      },
      get s3() {
        return s3();
      },
    };
  }

  #settings(service: Service, process: Process) {
    return {
      region: 'us-east-1',
      credentials: { accessKeyId: 'nobody', secretAccessKey: 'none' },
      requestHandler: new EngineHandler(service, this, process),
      retryStrategy: new VirtualRetries(this.#maxAttempts, this),
      // The engines need no signature. Signing would take two thirds of a call's time.
      signer: { sign: async <T>(request: T) => request },
    };
  }
}

interface Client {
  readonly middlewareStack: { remove: (name: string) => boolean };
  readonly config: object;
}

/**
 * Leaves out of a call what no engine reads and nobody logs. The SDK copies a client's settings three times a call; it
 * makes an object of them that V8 copies seven times slower than this one.
 */
function lean<Made extends Client>(client: Made): Made {
  for (const name of ['getUserAgentMiddleware', 'loggerMiddleware'])
    if (!client.middlewareStack.remove(name)) throw new Error(`The SDK has no ${name}`);
  return Object.assign(client, { config: { ...client.config } });
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
