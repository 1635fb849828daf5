import { bundleFunctions } from '../../lib/function-bundles.ts';

export default bundleFunctions;
