import { fork } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';

const addressSchema = v.object({ port: v.number() });

/** Starts the synthesizing program for this process and its children. It ends together with this process. */
export async function startSynthesizer(): Promise<void> {
  const program = fork(join(import.meta.dirname, 'serve.ts'), { execArgv: ['--no-warnings'] });
  const address = await new Promise((resolve, reject) => {
    program.once('message', resolve);
    program.once('exit', (code) =>
      reject(new Error(`The synthesizer ended with ${code} before it listened`)),
    );
  });
  process.env.GENWAY_SYNTHESIZER = `http://127.0.0.1:${v.parse(addressSchema, address).port}`;
  program.unref();
  program.channel?.unref();
}
