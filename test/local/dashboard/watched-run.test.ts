import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { keepSamples } from '../../../local/dashboard/metrics-file.ts';
import { watchRun } from '../../../local/dashboard/watched-run.ts';
import { stateFolder } from '../../../local/system/state-folder.ts';

const never = new AbortController().signal;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'genway-watched-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('without a run, the user is told what to start', async () => {
  await expect(watchRun(stateFolder(root), 1, never)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: `No running local stage was found in ${root}. Start one with npm start -- --state ${root}.`,
  });
});

test('the same after a run was killed', async () => {
  const state = stateFolder(root);
  // Nothing listens on port 9 (`discard`).
  const aws = { endpoint_url: 'http://127.0.0.1:9', region: 'r', access_key_id: 'a', secret_access_key: 'b' };
  writeFileSync(state.runFile, JSON.stringify({ aws }));
  await expect(watchRun(state, 1, never)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: 'The local stage does not respond. Stop it with Ctrl-C and start it again.',
  });
});

/** Starts a server in place of an emulator, and writes a run file with its address. */
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

test('a run that does not answer is abandoned when the user leaves', async () => {
  const { state, server, end } = await emulatorThat(() => undefined);
  const user = new AbortController();
  const watched = watchRun(state, 1, user.signal);
  await once(server, 'request');
  user.abort();
  await expect(watched).rejects.toMatchObject({ name: 'LocalRunError', cause: { name: 'AbortError' } });
  await end();
});

const panel = (title: string, ...metric: string[]) => ({
  type: 'metric',
  width: 8,
  properties: {
    title,
    metrics: [[...metric, { stat: 'Sum', label: title }]],
    yAxis: { left: { label: '' } },
  },
});
const WIDGETS = [
  panel('Waiting', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName', 'jobs'),
  panel('Uploads', 'AWS/Lambda', 'Invocations', 'FunctionName', 'Genway-local-UploadFile1A'),
];

/** Answers like an emulator with a deployed stage. */
const deployed: RequestListener = (request, response) => {
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  const answers: Readonly<Record<string, object>> = {
    GetDashboard: { DashboardBody: JSON.stringify({ widgets: WIDGETS }) },
    GetQueueUrl: { QueueUrl: 'http://127.0.0.1/jobs' },
    GetQueueAttributes: { Attributes: { ApproximateNumberOfMessages: '3' } },
  };
  const ofLambda = { LoggingConfig: { LogGroup: '/Genway-local/upload-file' } };
  response.end(JSON.stringify(answers[operation] ?? ofLambda));
};
const shown = { span: { from: 0, to: 10 }, periodSeconds: 300 };

test('what a run counts is drawn under the names that its stack has given', async () => {
  const { state, end } = await emulatorThat(deployed);
  const call = { namespace: 'AWS/Lambda', name: 'Invocations', dimensions: { FunctionName: 'upload-file' } };
  keepSamples(state.metrics, () => undefined)([{ ...call, at: 1, value: 1 }]);
  const run = await watchRun(state, 10, never);
  await run.look(5);
  const { dashboards } = await run.view(shown);
  await end();
  for (const { panels } of dashboards) {
    expect(panels.map(({ title, lines }) => [title, lines[0]?.points])).toEqual([
      ['Waiting', [[0, 3]]],
      ['Uploads', [[0, 1]]],
    ]);
  }
});

test('the depths of queues are kept for as long as a view can reach back', async () => {
  const { state, end } = await emulatorThat(deployed);
  const run = await watchRun(state, 10, never);
  const waiting = async () => (await run.view(shown)).dashboards[0]?.panels[0]?.lines[0]?.points;
  await run.look(1);
  await run.look(9);
  expect(await waiting()).toEqual([[0, 6]]);
  await run.look(11);
  expect(await waiting()).toEqual([[0, 3]]);
  await end();
});

test('a run that ends meanwhile is reported as ended', async () => {
  const { state, end } = await emulatorThat(deployed);
  const run = await watchRun(state, 10, never);
  await run.view(shown);
  await end();
  await expect(run.view(shown)).rejects.toThrow('ECONNREFUSED');
});
