import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../functions/sweeping/sparse-index.ts';
import { Bucket } from './constructs/bucket.ts';
import { type Capability, combine } from './constructs/capability.ts';
import { Sweeper } from './constructs/sweeper.ts';
import { Table } from './constructs/table.ts';
import type { KeysTable } from './keys.ts';
import type { ProviderKeyOpener } from './provider-key-opener.ts';
import type { Settings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';
import type { WorkspacesTable } from './workspaces.ts';

class FilesTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly lister = this.allowingQueries();
  /** A file, and what its workspace has in all. */
  readonly creator = this.allowing('GetItem', 'PutItem', 'UpdateItem');
  readonly remover = this.allowing('GetItem', 'DeleteItem', 'UpdateItem');
  /** To find and remove what has expired. */
  readonly sweeper = combine(this.allowingQueries(OVERDUE_INDEX), this.allowing('DeleteItem', 'UpdateItem'));
  /** Of all that a workspace has. */
  readonly purger = combine(this.allowingQueries(), this.allowing('BatchWriteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.filesTable,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'id', type: AttributeType.STRING },
    });
    this.indexOverdue('size_bytes');
  }
}

/** Uploaded files: a row and an object each. */
export class Files extends Construct {
  readonly rows: FilesTable;
  readonly objects: Bucket;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    this.rows = new FilesTable(this, 'Table', config);
    this.objects = new Bucket(this, 'Bucket', { config, variable: variables.filesBucket });
    new Sweeper(this, 'Sweeper', {
      config,
      name: 'sweep-files',
      can: [this.rows.sweeper, this.objects.remover],
    });
  }
}

export interface FileEndpointsProps {
  readonly files: Files;
  readonly keys: KeysTable;
  readonly workspaces: WorkspacesTable;
  readonly keyOpener: ProviderKeyOpener;
  readonly settings: Settings;
}

/** What receiving uploads takes, be it in a function or in a server. */
export function uploader({
  files: { rows, objects },
  keys,
  settings,
  ...others
}: FileEndpointsProps): Capability {
  const scope = fileScope({ settings, ...others });
  return combine(
    scope,
    rows.creator,
    objects.uploader,
    objects.remover,
    // A file is stored only for a key and a workspace that live to see it.
    keys.keeper,
    others.workspaces.keeper,
    settings.storageQuota,
  );
}

export function fileEndpoints(props: FileEndpointsProps) {
  const { rows, objects } = props.files;
  const scope = fileScope(props);
  return {
    'upload-file': [uploader(props)],
    'list-files': [scope, rows.lister, props.settings.storageQuota],
    'get-file': [scope, rows.reader],
    'get-file-content': [scope, rows.reader, objects.reader],
    'delete-file': [scope, rows.remover, objects.remover],
  };
}

/** Whose files, and in whose storage: ours or, with `provider=`, the workspace's own account at a provider. */
function fileScope({
  workspaces,
  keyOpener,
  settings,
}: Omit<FileEndpointsProps, 'files' | 'keys'>): Capability {
  return combine(
    // Management keys may name any workspace, which must then exist.
    workspaces.reader,
    keyOpener.user,
    settings.providerBaseUrls,
    settings.privateHosts,
    settings.wireNames,
  );
}
