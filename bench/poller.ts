/**
 * How many steps of jobs one poller does in a second: the deployed function with its settings, in batches as from its queue,
 * over an AWS that answers at once and providers on real connections. Compared with as many calls at once as the gate
 * allows, with one message after another, and with a batch in which results are copied too, as before they had a queue of
 * their own. Then beside a provider that is slow, and beside one whose answers never end. All run at the same time, because
 * they mostly wait. Fails if the poller makes less of its calls at once, or if a slow provider takes more from a quick one.
 *
 *   npx node bench/poller.ts
 */
import { setTimeout as wait } from 'node:timers/promises';
import { USUAL_MEMORY } from '../lib/constructs/function-defaults.ts';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { MeasuredPoller } from './poller/measured-poller.ts';
import { ASSUMED, BATCH, CALLS_AT_ONCE } from './scale/limits.ts';

/** Two rounds of the slow provider: its polls, and the rest after them. */
const SECONDS = 72;
const SLOW_SECONDS = 6;
/** Steps for each job that also copies a result, as `bench/scale.ts` counts them. */
const STEPS_PER_COPY = 18;
/** Lambda gives one core to 1,769 MB. */
const CORES = USUAL_MEMORY / 1769;
const CPU_SECONDS = 5;

const BARS = {
  ofCallsAtOnce: 0.8,
  besideSlow: 0.75,
  besideEndless: 0.6,
  cpu: 0.5,
  callsPerMessage: 2.1,
} as const;

type Invoke = (poller: MeasuredPoller) => Promise<void>;

const batches: Invoke = (poller) => poller.invoke(BATCH);
const oneByOne: Invoke = (poller) => poller.invoke(1);

/** A batch waits for its slowest message: from time to time that is a copy. */
function copyingToo(): Invoke {
  let steps = 0;
  return async (poller) => {
    steps += CALLS_AT_ONCE;
    const hasCopy = steps % STEPS_PER_COPY < CALLS_AT_ONCE;
    await Promise.all([batches(poller), hasCopy ? wait(ASSUMED.copy * 1_000) : undefined]);
  };
}

/** What one poller does in a number of seconds, after a first batch that is not counted. */
async function measure(opening: Promise<MeasuredPoller>, invoke: Invoke, seconds = SECONDS) {
  await using poller = await opening;
  await invoke(poller);
  poller.begin();
  const end = wait(seconds * 1_000, 'over');
  while ((await Promise.race([invoke(poller), end])) !== 'over');
  const { steps, messages, calls, microseconds } = poller.done;
  return {
    perSecond: steps / seconds,
    messagesPerStep: messages / steps,
    callsPerMessage: calls / messages,
    milliseconds: microseconds / 1_000 / steps,
  };
}

await bundleFunctions();
const warm = await measure(MeasuredPoller.open({ quick: 0 }), batches, CPU_SECONDS);
const quick = ASSUMED.poll;
const [alone, single, copying, slow, endless] = await Promise.all([
  measure(MeasuredPoller.open({ quick }), batches),
  measure(MeasuredPoller.open({ quick }), oneByOne),
  measure(MeasuredPoller.open({ quick }), copyingToo()),
  measure(MeasuredPoller.open({ quick, slow: SLOW_SECONDS }), batches),
  measure(MeasuredPoller.open({ quick, slow: 'endless' }), batches),
]);

console.log(`Of one concurrent invocation, in ${SECONDS} s, at a provider that answers after ${quick} s\n`);
console.log('| | steps a second | × the poller | messages a step |\n|---|---|---|---|');
const row = (what: string, perSecond: number, messages?: number) =>
  console.log(
    `| ${what} | ${perSecond.toFixed(1)} | ${(perSecond / alone.perSecond).toFixed(2)} | ${messages?.toFixed(2) ?? ''} |`,
  );
row(`${CALLS_AT_ONCE} calls at once without a pause`, CALLS_AT_ONCE / quick);
row(`the poller, batches of ${BATCH}`, alone.perSecond, alone.messagesPerStep);
row('one message after another', single.perSecond, single.messagesPerStep);
row(`batches that also copy results, ${ASSUMED.copy} s each`, copying.perSecond, copying.messagesPerStep);
row(`the poller’s for this provider, beside one that takes ${SLOW_SECONDS} s`, slow.perSecond);
row('the poller’s for this provider, beside one whose answers never end', endless.perSecond);

const core = (alone.perSecond * warm.milliseconds) / 1_000;
console.log(`
A step takes ${warm.milliseconds.toFixed(1)} ms of CPU and each message ${alone.callsPerMessage.toFixed(2)} calls of AWS. A poller of ${USUAL_MEMORY} MB has \
${CORES.toFixed(2)} of a core: enough for ${Math.round(CORES / (warm.milliseconds / 1_000))} steps a second, so it mostly waits for providers.
`);

const held: readonly (readonly [string, boolean])[] = [
  ['calls at once', alone.perSecond >= BARS.ofCallsAtOnce * CALLS_AT_ONCE * single.perSecond],
  ['a slow provider', slow.perSecond >= BARS.besideSlow * alone.perSecond],
  ['answers that never end', endless.perSecond >= BARS.besideEndless * alone.perSecond],
  ['CPU', core <= BARS.cpu * CORES],
  ['calls of AWS', alone.callsPerMessage <= BARS.callsPerMessage],
];
const missed = held.filter(([, isHeld]) => !isHeld).map(([what]) => what);
if (missed.length > 0) throw new Error(`Outside the bar: ${missed.join(', ')}`);
console.log('All are within their bars.');
process.exit();
