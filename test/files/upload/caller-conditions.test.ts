import { expect, test } from '@jest/globals';
import { callerConditions } from '../../../functions/files/upload/receive-file.ts';
import { invalidKey } from '../../../functions/http/errors.ts';
import { KeyStore } from '../../../functions/keys/key-store.ts';
import { foreignWorkspace } from '../../../functions/workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../../functions/workspaces/workspace-store.ts';
import { AwsWorld } from '../../engines/index.ts';

test('a file is written only while its caller’s key and workspace stand', () => {
  const { dynamo } = new AwsWorld().startProcess();
  const keys = new KeyStore(dynamo, 'keys');
  const workspaces = new WorkspaceStore(dynamo, 'workspaces');
  const now = new Date('2026-01-02T03:04:05Z');
  expect(callerConditions({ keyHash: 'hash', workspaceId: 'ws-1' }, { keys, workspaces }, now)).toEqual({
    key: { check: keys.keepAlive('hash', now), refusal: invalidKey },
    workspace: { check: workspaces.keepAlive('ws-1'), refusal: foreignWorkspace },
  });
});
