import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { SEALED_FOR } from '../functions/broadcast/table.ts';
import { variables } from '../functions/environment-names.ts';
import { combine } from './constructs/capability.ts';
import { Table } from './constructs/table.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { Settings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** The address to which each workspace sends its traces, with encrypted headers. */
export class BroadcastTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly changer = this.allowing('PutItem');
  readonly remover = this.allowing('DeleteItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.broadcastTable,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
    });
  }
}

export interface BroadcastProps {
  readonly broadcast: BroadcastTable;
  readonly providerKeys: ProviderKeys;
}

/** The right to send traces: to read their address, and to decrypt its headers. */
export const traceSender = ({ broadcast, providerKeys }: BroadcastProps) =>
  combine(broadcast.reader, providerKeys.openerOf([SEALED_FOR]));

export interface BroadcastEndpointsProps extends BroadcastProps {
  readonly workspaces: WorkspacesTable;
  readonly settings: Settings;
}

export const broadcastEndpoints = (props: BroadcastEndpointsProps) => {
  const { broadcast, providerKeys, workspaces, settings } = props;
  return {
    'get-workspace-broadcast': [workspaces.reader, broadcast.reader],
    'put-workspace-broadcast': [
      workspaces.reader,
      broadcast.changer,
      providerKeys.sealer,
      settings.privateHosts,
    ],
    'delete-workspace-broadcast': [workspaces.reader, broadcast.remover],
    'test-workspace-broadcast': [workspaces.reader, traceSender(props), settings.privateHosts],
  };
};
