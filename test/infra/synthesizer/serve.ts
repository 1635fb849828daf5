import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { assemble, check, stageSchema } from './synthesis.ts';

const requestSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ task: v.picklist(['assemble', 'check']), stage: stageSchema }),
);
const addressSchema = v.object({ port: v.number() });
const tasks = { assemble, check };
const made = new Map<string, string>();

function answerTo(asked: string): string {
  const { task, stage } = v.parse(requestSchema, asked);
  const answer = made.get(asked) ?? JSON.stringify(tasks[task](stage));
  made.set(asked, answer);
  return answer;
}

/**
 * Lets this process synthesize stages for all test files of a run, as long as it has other work. It loads CDK once
 * instead of once for each file, and synthesizes each stage once.
 */
export async function startSynthesizer(): Promise<void> {
  const server = createServer(async (request, response) => {
    // During a synthesis this process cannot announce that it closes an idle connection. A client would then write to a
    // closed one.
    response.setHeader('connection', 'close');
    try {
      response.end(answerTo(await text(request)));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  process.env.GENWAY_SYNTHESIZER = `http://127.0.0.1:${v.parse(addressSchema, server.address()).port}`;
}
