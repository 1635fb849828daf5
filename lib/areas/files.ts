import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import { Bucket } from '../constructs/bucket.ts';
import { Sweeper } from '../constructs/clock.ts';
import { type Capability, combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { Downloads } from '../edge/downloads.ts';
import type { StageConfig } from '../stage/config.ts';
import type { KeysTable } from './keys.ts';
import type { ProviderKeyOpener } from './provider-keys.ts';
import type { Settings } from './settings.ts';
import type { WorkspacesTable } from './workspaces.ts';

class FilesTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly lister = this.allowingQueries();
  /** The right to write a file's row and its workspace's total. */
  readonly creator = this.allowing('GetItem', 'PutItem', 'UpdateItem');
  readonly remover = this.allowing('GetItem', 'DeleteItem', 'UpdateItem');
  /** The right to find and remove expired files. */
  readonly sweeper = combine(this.allowingQueries(OVERDUE_INDEX), this.allowing('DeleteItem', 'UpdateItem'));
  /** The right to delete all files of a workspace. */
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
  readonly downloads: Downloads;
}

/** What an upload needs, in a function or in a server. */
export function uploader(props: Omit<FileEndpointsProps, 'downloads'>): Capability {
  const { rows, objects } = props.files;
  return combine(
    fileScope(props),
    rows.creator,
    objects.uploader,
    objects.remover,
    // A file is only stored if its key and its workspace still exist.
    props.keys.keeper,
    props.workspaces.keeper,
    props.settings.storageQuota,
  );
}

export function fileEndpoints(props: FileEndpointsProps) {
  const { rows, objects } = props.files;
  const scope = fileScope(props);
  return {
    'upload-file': [uploader(props)],
    'list-files': [scope, rows.lister, props.settings.storageQuota],
    'get-file': [scope, rows.reader],
    'get-file-content': [scope, rows.reader, props.downloads.linksTo(objects)],
    'delete-file': [scope, rows.remover, objects.remover],
  };
}

/** Finds the workspace of a file, and its storage: ours or, with `provider=`, the workspace's own account at a provider. */
function fileScope({
  workspaces,
  keyOpener,
  settings,
}: Omit<FileEndpointsProps, 'files' | 'keys' | 'downloads'>): Capability {
  return combine(
    // A management key may name any workspace, so the workspace must be looked up.
    workspaces.reader,
    keyOpener.user,
    settings.providerBaseUrls,
    settings.privateHosts,
    settings.wireNames,
  );
}
