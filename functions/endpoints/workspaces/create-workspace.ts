import { randomUUID } from 'node:crypto';
import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { deployedReplays, routeHandler } from '../../deployed/gate.ts';
import { listStore, workspaceStore } from '../../deployed/stores.ts';
import { answerOnce } from '../../gate/answer-once.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { AUDITED_OF_WORKSPACES } from '../../workspaces/shown-workspace.ts';
import { createWorkspace, newWorkspaceSchema } from '../../workspaces/workspace.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const lists = listStore();
const replays = deployedReplays();

export const handler = routeHandler(routes['create-workspace'], (call) =>
  answerOnce(call, replays, async (remember) => {
    const requested = jsonBody(call, newWorkspaceSchema);
    const workspace = createWorkspace(requested, {
      id: randomUUID(),
      createdBy: call.principal.creator,
      now: systemClock(),
    });
    const location = `/api/v1/workspaces/${workspace.id}`;
    const answer = json(201, { data: workspace }, { location });
    noteChange(call, AUDITED_OF_WORKSPACES, undefined, workspace);
    await workspaces.create(workspace, lists, remember(answer, workspace.id));
    return answer;
  }),
);
