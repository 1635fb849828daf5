import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createS3Client } from '../../functions/aws/s3.ts';
import { VirtualClock } from './clock.ts';
import { DirectCaller } from './direct/direct-caller.ts';
import {
  directDynamo,
  directKms,
  directSqs,
  dynamoError,
  kmsError,
  sqsError,
} from './direct/direct-clients.ts';
import { DynamoDbEngine } from './dynamodb/dynamodb-engine.ts';
import type { Lag } from './dynamodb/table.ts';
import { EngineHandler } from './engine-handler.ts';
import { type Call, type FaultPlan, noFaults } from './faults.ts';
import { Journal } from './journal.ts';
import type { JsonService } from './json-service.ts';
import { KmsEngine } from './kms/kms-engine.ts';
import type { Network } from './passage.ts';
import { Process } from './process.ts';
import { exchangeThrough } from './s3/exchange-through.ts';
import { openLink } from './s3/open-link.ts';
import { S3Engine } from './s3/s3-engine.ts';
import { seededRandom } from './seeded-random.ts';
import type { Service, ServiceError } from './service.ts';
import { SqsEngine } from './sqs/sqs-engine.ts';
import { VirtualRetries } from './virtual-retries.ts';

export interface AwsWorldSettings {
  /** @default 1 */
  readonly seed?: number;
  readonly start?: Date;
  /** @default none; can be changed at any time */
  readonly faults?: FaultPlan;
  /** Of a call and its answer together, in milliseconds. @default between 5 and 15, by the seed */
  readonly latency?: (call: Call) => number;
  /** How late indexes and inconsistent reads are, in milliseconds. @default not at all */
  readonly lag?: Lag;
  /** For how long a transaction holds its items, in milliseconds. @default 5 */
  readonly transactionMilliseconds?: number;
  /** How long a caller waits for an answer, in milliseconds. @default for ever, as the SDK does */
  readonly requestTimeout?: number;
  /** How often the SDK tries. @default 3, as the functions' clients do */
  readonly maxAttempts?: number;
  /** Whether the journal keeps every call. @default true */
  readonly keepsCalls?: boolean;
}

/**
 * The AWS that Genway uses, in memory, under one clock and one plan of what goes wrong:
 *
 *   const world = new AwsWorld({ seed: 7 });
 *   const stage = new DeployedStage(world);
 *   const { dynamo } = world.startProcess('poller');
 *   world.faults = faultAt({ operation: 'UpdateItem', nth: 3 }, 'answer lost');
 *   await new JobStore(dynamo, stage.name('Videos-Jobs'), tell).find('vid_1');
 *
 * The same seed gives the same run, as long as the code under test asks this clock and these random numbers.
 */
export class AwsWorld implements Network {
  readonly clock: VirtualClock;
  /** Of this world's seed. */
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

  /** Clients of a process of their own, which may die. */
  startProcess(name = 'main') {
    const { process, s3, exchange } = this.startLightProcess(name);
    const dynamodb = new DynamoDBClient(this.#settings(this.dynamodb.service, process));
    const dynamo = DynamoDBDocumentClient.from(dynamodb, {
      marshallOptions: { removeUndefinedValues: true },
    });
    const sqs = new SQSClient(this.#settings(this.sqs.service, process));
    const kms = new KMSClient(this.#settings(this.kms.service, process));
    return { process, dynamodb, dynamo, sqs, s3: s3(), kms, exchange };
  }

  /**
   * The same for who starts very many processes: all but S3 is asked without the SDK's layers, which cost several times
   * what an engine does, and a client of S3 is made where it is asked for.
   */
  startLightProcess(name: string) {
    const process = new Process(name);
    return {
      process,
      dynamo: directDynamo(this.#direct(this.dynamodb.service, process, dynamoError)),
      sqs: directSqs(this.#direct(this.sqs.service, process, sqsError)),
      kms: directKms(this.#direct(this.kms.service, process, kmsError)),
      // A body of unknown length is sent as it is: the engine knows no chunks with sums behind them.
      s3: () =>
        createS3Client({
          ...this.#settings(this.s3, process),
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED',
        }),
      exchange: exchangeThrough(new EngineHandler(this.s3, this, process)),
    };
  }

  #direct(service: JsonService, process: Process, errorOf: (refusal: ServiceError) => Error) {
    const maxAttempts = this.#maxAttempts;
    return new DirectCaller({ service, network: this, process, maxAttempts, random: this.random, errorOf });
  }

  /** Opens links to the objects of this world, as anybody may. */
  readonly fetch: typeof fetch = (input, init) =>
    openLink(new EngineHandler(this.s3, this, new Process('anybody')), this.clock.now)(input, init);

  #settings(service: Service, process: Process) {
    return {
      region: 'us-east-1',
      credentials: { accessKeyId: 'nobody', secretAccessKey: 'none' },
      requestHandler: new EngineHandler(service, this, process),
      retryStrategy: new VirtualRetries(this.#maxAttempts, this.clock, this.random),
      // The engines ask for no signature, which would be two thirds of what a call costs.
      signer: { sign: async <T>(request: T) => request },
    };
  }
}
