import { expect, jest, test } from '@jest/globals';

test('what must be in the log is written at any level of the stage', async () => {
  // The logger then writes to the console that the test sees.
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_LOG_LEVEL = 'ERROR';
  const { log, logAlways } = await import('../../functions/telemetry/logger.ts');
  const written = jest.spyOn(console, 'info').mockReturnValue();
  log.info('left out');
  logAlways('audit entry', { action: 'delete-key', note: `sk-gw-v1-${'a'.repeat(40)}` });
  expect(written.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
    { message: 'audit entry', action: 'delete-key', note: 'sk-gw-v1-…' },
  ]);
});
