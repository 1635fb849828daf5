import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { watchRun } from '../../../local/dashboard/watched-run.ts';
import { stateFolder } from '../../../local/state-folder.ts';

const never = new AbortController().signal;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'genway-watched-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('where nothing runs, the user hears what to start', async () => {
  await expect(watchRun(stateFolder(root), 1, never)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: 'No local stage is running: start one with npm start, and open its dashboards beside it.',
  });
});

test('where a run was killed, too', async () => {
  const state = stateFolder(root);
  // Nothing listens on the port that `discard` has.
  const aws = { endpoint_url: 'http://127.0.0.1:9', region: 'r', access_key_id: 'a', secret_access_key: 'b' };
  writeFileSync(state.runFile, JSON.stringify({ aws }));
  await expect(watchRun(state, 1, never)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: 'The local stage does not answer: start it again with npm start.',
  });
});

/** What answers in the place of an emulator, and the run file that leads to it. */
async function emulatorThat(answer: RequestListener) {
  const state = stateFolder(root);
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  const aws = {
    endpoint_url: `http://127.0.0.1:${port}`,
    region: 'r',
    access_key_id: 'a',
    secret_access_key: 'b',
  };
  writeFileSync(state.runFile, JSON.stringify({ aws }));
  const end = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { state, server, end };
}

test('a run that answers nothing is left when the user leaves', async () => {
  const { state, server, end } = await emulatorThat(() => undefined);
  const user = new AbortController();
  const watched = watchRun(state, 1, user.signal);
  await once(server, 'request');
  user.abort();
  await expect(watched).rejects.toMatchObject({ name: 'LocalRunError', cause: { name: 'AbortError' } });
  await end();
});

test('a run that ends meanwhile is told of, and not what it was', async () => {
  const depth = {
    type: 'metric',
    width: 8,
    properties: {
      title: 'Waiting',
      metrics: [['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName', 'jobs']],
      yAxis: { left: { label: 'messages' } },
    },
  };
  const answers: Readonly<Record<string, object>> = {
    GetDashboard: { DashboardBody: JSON.stringify({ widgets: [depth] }) },
    DescribeAlarms: { MetricAlarms: [] },
    GetQueueUrl: { QueueUrl: 'http://127.0.0.1/jobs' },
    GetQueueAttributes: { Attributes: { ApproximateNumberOfMessages: '3' } },
  };
  const { state, end } = await emulatorThat((request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    response.end(JSON.stringify(answers[operation]));
  });
  const run = await watchRun(state, 10, never);
  const shown = { span: { from: 0, to: 10 }, periodSeconds: undefined };
  await run.look(5);
  const { dashboards } = await run.view(shown);
  expect(dashboards[0]?.panels[0]?.lines[0]?.points).toEqual([[0, 3]]);
  await end();
  await run.look(6);
  await expect(run.view(shown)).rejects.toThrow('ECONNREFUSED');
});
