import { variables } from '../functions/environment-names.ts';

/**
 * Longer timeouts for programs on an emulator, which shares the cores of one machine with forty functions that start at
 * once. Three attempts of DynamoDB's two seconds, each four times as long, still end within a function's 25 seconds.
 */
export const EMULATOR_PATIENCE = { [variables.awsPatience]: '4' };
