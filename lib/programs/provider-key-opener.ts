import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { type Capability, GenwayFunction } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import type { KeysTable, SessionsTable, WorkspacesTable } from '../stores/callers.ts';
import type { ProviderKeys } from '../stores/provider-keys.ts';

interface ProviderKeyOpenerProps {
  readonly config: StageConfig;
  readonly keys: KeysTable;
  readonly sessions: SessionsTable;
  readonly workspaces: WorkspacesTable;
  readonly providerKeys: ProviderKeys;
}

/** Decrypts keys for file providers, so that programs that parse uploads may not; see docs/decisions/018-key-opener.md. */
export class ProviderKeyOpener extends GenwayFunction {
  /** The right to have a key decrypted, with the credential of a caller who may use it. */
  readonly user: Capability;

  constructor(
    scope: Construct,
    id: string,
    { config, keys, sessions, workspaces, providerKeys }: ProviderKeyOpenerProps,
  ) {
    super(scope, id, {
      config,
      name: 'open-provider-key',
      isGradual: true,
      can: [keys.finder, sessions.finder, workspaces.reader, providerKeys.fileUser],
    });
    const { functionName, functionArn } = this.callable;
    this.user = {
      environment: { [variables.openProviderKeyFunction]: functionName },
      grant: (grantee) => {
        Grant.addToPrincipal({
          grantee,
          actions: ['lambda:InvokeFunction'],
          resourceArns: [functionArn],
        });
      },
    };
  }
}
