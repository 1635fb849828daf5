import { expect, test } from '@jest/globals';
import { newApproval, type PendingChange } from '../../../functions/approvals/approval.ts';
import { ApprovalStore } from '../../../functions/approvals/approval-store.ts';
import { seenOffer } from '../../../functions/endpoints/catalogue/offer-changes.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import { newId } from '../../../functions/ids.ts';
import { emptyAccount, keyAccount } from '../../../functions/money/account.ts';
import { NO_CHANGES } from '../../../functions/videos/catalogue/stage-catalogue.ts';
import { DEFAULT_WORKSPACE_ID } from '../../../functions/workspaces/workspace.ts';
import { useBrowser } from '../../browser.ts';
import { dynamo, tableNamed } from '../../contract/aws.ts';
import { call, stage } from '../../contract/stage.ts';
import { storedKey } from '../../keys/stored-key.ts';
import { choose, goTo, openConsole, signIn } from './console-page.ts';

useBrowser();

test('a manager approves a key and refuses a change of an endpoint, and sees each as it was requested', async () => {
  // The stage asks for no approvals, so what another person requested is put into its table.
  const asker = { name: `Asker ${crypto.randomUUID()}`, management: true };
  const { body: asked } = await call('POST', '/keys', { key: stage.managementKey, json: asker });
  const store = new ApprovalStore(dynamo, await tableNamed('Approvals'));
  const wait = (change: PendingChange) => {
    const by = { keyHash: asked.data.hash, line: 'another', kind: 'management', workspaceId: '' } as const;
    const principal = { ...by, scope: UNLIMITED, endsAt: null, creator: '', rateLimits: {} };
    return store.insert(newApproval(newId.approval(new Date()), principal, change, new Date()));
  };
  const name = `Night shift ${crypto.randomUUID()}`;
  const stored = storedKey({ kind: 'management', name, workspace_id: DEFAULT_WORKSPACE_ID });
  await wait({ action: 'create-key', stored, account: emptyAccount(keyAccount(stored.hash)) });
  const endpoint = `sandbox/${crypto.randomUUID()}`;
  const request = { name: 'As people call it', price_per_second: { silent: 7, with_audio: 9 } };
  await wait({ action: 'update-endpoint', endpoint, request, seen: seenOffer(endpoint, NO_CHANGES) });

  const { page, wrong } = await openConsole();
  await signIn(page, stage.managementKey);
  const waiting = page.getByRole('region', { name: 'Waiting for approval' });
  const dialog = page.getByRole('dialog');
  await goTo(page, '/keys', 'Keys');
  await waiting.getByText(asker.name).waitFor();
  expect(await waiting.getByText(endpoint).count()).toBe(0);
  await choose(page, `Create key ${name}`, 'Approve');
  await dialog.getByText('"is_management_key": true').waitFor();
  expect(await dialog.innerText()).toContain(stored.hash);
  expect(await dialog.innerText()).toContain(`${asker.name} (${asked.data.label}).`);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText(`Approved: Create key ${name}`).waitFor();
  const { body: shown } = await call('GET', `/keys/${stored.hash}`, { key: stage.managementKey });
  expect(shown.data).toMatchObject({ name, disabled: false });

  await goTo(page, '/catalogue', 'Catalogue');
  await choose(page, `Update endpoint ${endpoint}`, 'Refuse');
  await dialog.getByText('"with_audio": 9').waitFor();
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click();
  await page.getByText(`Refused: Update endpoint ${endpoint}`).waitFor();
  await waiting.getByText(endpoint).waitFor({ state: 'detached' });
  expect(wrong).toEqual([]);
  await page.close();
});
