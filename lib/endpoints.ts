import { type Route, type RouteId, routes } from '../functions/http/routes.ts';
import type { Capability } from './constructs/capability.ts';

/** What the function of each route can do, beyond what the gate before it needs. */
export type Endpoints = PerRoute<readonly Capability[]>;

export type PerRoute<Value> = Readonly<Record<RouteId, Value>>;

export const routeIds = Object.keys(routes) as readonly RouteId[];

export function forEachRoute<Value>(make: (id: RouteId, route: Route) => Value): PerRoute<Value> {
  return Object.fromEntries(routeIds.map((id) => [id, make(id, routes[id])])) as PerRoute<Value>;
}
