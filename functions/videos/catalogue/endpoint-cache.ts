import * as v from 'valibot';

/** For how many seconds a warm function may miss a change of the endpoints. */
export const endpointCacheSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300));

/** A function's environment variable. */
export const endpointCacheVariable = v.pipe(v.string(), v.transform(Number), endpointCacheSchema);
