import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { type BroadcastTable, traceSender } from './broadcast.ts';
import { type Capability, combine } from './constructs/capability.ts';
import { DerivationKey } from './constructs/derivation-key.ts';
import { QueueConsumer, WorkQueue } from './constructs/queue-consumer.ts';
import { Sweeper } from './constructs/sweeper.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { Settings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';
import { EventsTable, HostsTable, SettingsTable } from './webhook-stores.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** Every secret of a webhook is derived from it; see `docs/decisions/003-derived-webhook-secrets.md`. */
const signingKeyOf = (scope: Construct, config: StageConfig) =>
  new DerivationKey(scope, 'SigningKey', {
    config,
    description: 'Derives what signs Genway webhooks',
    variable: variables.signingKeyId,
  });

export interface WebhooksProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly workspaces: WorkspacesTable;
  readonly broadcast: BroadcastTable;
  readonly providerKeys: ProviderKeys;
}

/**
 * From the outbox to the receiver. The deliverer has its own queue and role. It reads events and settings, derives
 * signatures and decrypts the headers of traces, and has no other rights in this account.
 */
export class Webhooks extends Construct {
  readonly events: EventsTable;
  readonly queue: WorkQueue;
  readonly settings: SettingsTable;
  readonly signingKey: DerivationKey;

  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id);
    const { config, settings, workspaces } = props;
    const timeout = Duration.seconds(40);
    this.events = new EventsTable(this, 'Events', config);
    const hosts = new HostsTable(this, 'Hosts', config);
    this.queue = new WorkQueue(this, 'Queue', { variable: variables.eventsQueueUrl, timeout });
    this.settings = new SettingsTable(this, 'Settings', config);
    this.signingKey = signingKeyOf(this, config);
    new QueueConsumer(this, 'Deliverer', {
      config,
      name: 'deliver-events',
      queue: this.queue,
      timeout,
      maxConcurrency: config.delivererConcurrency,
      reservedConcurrency: config.reservedConcurrency.deliverer,
      can: [
        this.events.changer,
        // A trace is a separate row beside the event of a job's end.
        this.events.creator,
        workspaces.reader,
        traceSender(props),
        this.settings.reader,
        this.settings.changer,
        hosts.keeper,
        this.signingKey.deriver,
        settings.privateHosts,
        settings.wireNames,
        settings.deliverers,
      ],
    });
    new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-events',
      can: [this.events.sweeper, this.queue.sender],
    });
  }

  /** The right to send an event again. */
  get redeliverer(): Capability {
    return combine(this.events.changer, this.settings.reader, this.queue.sender);
  }
}
