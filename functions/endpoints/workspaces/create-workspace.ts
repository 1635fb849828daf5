import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { answerOnce } from '../../gate/idempotency/answer-once.ts';
import { ReplayStore } from '../../gate/idempotency/replay-store.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { createWorkspace, newWorkspaceSchema } from '../../workspaces/workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const { WORKSPACES_TABLE, REPLAYS_TABLE } = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  REPLAYS_TABLE: v.string(),
});
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const replays = { replays: new ReplayStore(dynamo, REPLAYS_TABLE), now: systemClock };

export const handler = routeHandler('create-workspace', (call) =>
  answerOnce(call, replays, async (remember) => {
    const requested = jsonBody(call, newWorkspaceSchema);
    const workspace = createWorkspace(requested, {
      id: randomUUID(),
      createdBy: call.principal.creator,
      now: systemClock(),
    });
    const location = `/api/v1/workspaces/${workspace.id}`;
    const answer = json(201, { data: workspace }, { location });
    await workspaces.create(workspace, remember(answer));
    return answer;
  }),
);
