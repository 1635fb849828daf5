import type { RouteId } from '../functions/http/routes.ts';
import type { Capability } from './constructs/capability.ts';

/** What the function of each route can do, beyond what the gate before it needs. */
export type Endpoints<Ids extends RouteId = RouteId> = Readonly<Record<Ids, readonly Capability[]>>;
