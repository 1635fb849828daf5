export { AwsWorld, type AwsWorldSettings } from './aws-world.ts';
export { VirtualClock } from './clock.ts';
export { countReads } from './count-reads.ts';
export { type Call, type Fault, type FaultPlan, faultAt, faultsOf, noFaults } from './faults.ts';
export { never, type Process } from './network.ts';
export { seededRandom } from './seeded-random.ts';
