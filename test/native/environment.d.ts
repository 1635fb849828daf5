import type { ModernFakeTimers } from '@jest/fake-timers';

export default class OwnRealm {
  readonly fakeTimersModern: ModernFakeTimers;
  constructor(options: { projectConfig: { fakeTimers: object } });
  teardown(): Promise<void>;
}
