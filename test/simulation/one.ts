import { bundleFunctions } from './bundle.ts';
import { drawHistory } from './history.ts';
import { live } from './shrink.ts';

const script = await bundleFunctions();
const all = process.cpuUsage();
for (let seed = Number(process.argv[3] ?? 1); seed <= Number(process.argv[2]); seed++) {
  const cpu = process.cpuUsage();
  const { violations, counts } = await live(script, drawHistory(seed));
  console.log(
    seed,
    (process.cpuUsage(cpu).user / 1e6).toFixed(2),
    Math.round(process.memoryUsage().heapUsed / 1e6),
    violations.slice(0, 1),
    counts['calls of AWS'],
  );
}
console.log(process.cpuUsage(all).user / 1e6);
