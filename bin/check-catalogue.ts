/**
 * Fails if a row of the catalogue was looked up more than 90 days ago, or is of a model that has ended: a task for
 * whoever keeps the catalogue. It depends on the date, so it runs each night and not with the tests.
 */
import { systemClock } from '../functions/clock.ts';
import { allOffers } from '../functions/videos/catalogue/catalogue.ts';
import { endsSoon, hasEnded, isStale } from '../functions/videos/catalogue/row-dates.ts';

const now = systemClock();
let failures = 0;
for (const offer of allOffers()) {
  const { id, checked_at, source, eol_at } = offer;
  if (endsSoon(offer, now)) console.log(`${id} ${hasEnded(offer, now) ? 'ended' : 'ends'} on ${eol_at}`);
  if (!hasEnded(offer, now) && !isStale(offer, now)) continue;
  failures += 1;
  const advice = hasEnded(offer, now)
    ? 'move it to RETIRED in functions/videos/catalogue/row-dates.ts, or correct eol_at'
    : 'check it again';
  console.log(`${id}: ${advice}; last checked on ${checked_at}; source: ${source}`);
}
if (failures > 0) process.exitCode = 1;
