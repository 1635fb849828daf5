import { describeLanes } from './lane-suite.ts';
import { MemoryLanes } from './memory-stores.ts';

describeLanes(async (limits) => new MemoryLanes(limits).port);
