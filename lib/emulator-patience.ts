import { variables } from '../functions/environment-names.ts';

/**
 * What programs on an emulator are told: its answers share the cores of one machine with forty functions that start
 * at once. Three tries of DynamoDB's two seconds, each four times as long, still end within a function's 25 seconds.
 */
export const EMULATOR_PATIENCE = { [variables.awsPatience]: '4' };
