import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import type { ChangeGuardrailPorts } from '../../guardrails/change-guardrail.ts';
import { GuardrailStore } from '../../guardrails/guardrail-store.ts';
import { accountStore } from '../credits/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';

export const guardrailStore = () => new GuardrailStore(dynamo, setting('guardrailsTable'));

export const guardrailPorts = (): ChangeGuardrailPorts => ({
  client: dynamo,
  guardrails: guardrailStore(),
  workspaces: workspaceStore(),
  accounts: accountStore(),
  now: systemClock,
});
